// RUN: mkdir -p %t && cd %t && rm -rf moved && cp %S/../../../dialects/load/Inputs/pack/base.yaml . && cp -r %S/../../../dialects/load/Inputs/pack/pack.yaml %S/../../../dialects/load/Inputs/pack/rules .
// RUN: not mlc-opt --load=pack.yaml %s --lower=by=pack_to_arith,none --mlir-pass-pipeline-crash-reproducer=r.mlir
// RUN: FileCheck %s --check-prefix=TEXT < r.mlir
// RUN: not mlc-opt r.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not mlc-opt r.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: mlc-opt --load=pack.yaml %s --emit-bytecode -o a.mlirbc && mlc-opt --load=pack.yaml %s --emit-mlc-bytecode -o b.mlirbc
// RUN: cd / && mlc-opt %t/a.mlirbc --lower=by=pack_to_arith | FileCheck %s --check-prefix=LOWERED
// RUN: mlc-opt %t/b.mlirbc --lower=by=pack_to_arith | FileCheck %s --check-prefix=LOWERED
// RUN: mlc-opt %t/a.mlirbc --emit-mlc-bytecode | mlc-opt --lower=by=pack_to_arith | FileCheck %s --check-prefix=LOWERED
// RUN: cp %t/a.mlirbc %t/a.mlir && mlc inspect --level=import %t/a.mlir | FileCheck %s --check-prefix=IMPORT
// RUN: cd %t && mkdir moved && mv pack.yaml rules moved
// RUN: not mlc-opt r.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mlc-opt a.mlirbc 2>&1 | FileCheck %s --check-prefix=MISSING-BYTES
// RUN: not mlc-opt b.mlirbc 2>&1 | FileCheck %s --check-prefix=MISSING-BYTES
// RUN: not mlc-translate --export-llvmir b.mlirbc 2>&1 | FileCheck %s --check-prefix=MISSING-BYTES
// RUN: mlc-opt --load-dialect=base.yaml --load-dialect=moved/pack.yaml --load-rules=moved/rules/pack.rules a.mlirbc --lower=by=pack_to_arith | FileCheck %s --check-prefix=LOWERED
// RUN: sed 's/dialect0/subject0/' r.mlir | not mlc-opt --run-reproducer 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: sed 's/rules2: .*/rules2: true/' r.mlir | not mlc-opt --run-reproducer 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: sed 's,"/.*pack.rules","/dev/zero",' r.mlir | not mlc-opt --run-reproducer 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: truncate -s 20M big.yaml && sed 's,"/.*pack.yaml","%t/big.yaml",' r.mlir | not mlc-opt --run-reproducer 2>&1 | FileCheck %s --check-prefix=BIG
// RUN: rm big.yaml
// Reproducers and bytecode remember the files that were loaded.

// TEXT: external_resources: {
// TEXT: mlc_loaded: {
// TEXT-NEXT: dialect0: "{{/.*}}/base.yaml",
// TEXT-NEXT: dialect1: "{{/.*}}/pack.yaml",
// TEXT-NEXT: rules2: "{{/.*}}/pack.rules"
// ALONE: error: operation being parsed with an unregistered dialect
// AGAIN: error: no rules that are loaded have a lowering 'none'
// LOWERED-NOT: mlc_loaded
// LOWERED: arith.addi
// LOWERED-NEXT: return
// LOWERED-NOT: mlc_loaded
// IMPORT: arith.addi
// MISSING: r.mlir:{{[0-9]+}}:17: error: written with the dialect in '{{/.*}}/pack.yaml': No such file or directory
// MISSING: r.mlir:{{[0-9]+}}:15: error: written with the rules in '{{/.*}}/pack.rules': No such file or directory
// MISSING-BYTES: mlirbc:{{.*}} error: written with the dialect in '{{/.*}}/pack.yaml': No such file or directory
// ENTRY: error: 'subject0' is no entry of 'mlc_loaded'
// DEVICE: error: written with the rules in '/dev/zero': it is no regular file
// BIG: error: written with the dialect in '{{.*}}big.yaml': it is larger than definitions are
// VALUE: error: 'rules2' is no entry of 'mlc_loaded'
func.func @f(%x: i32) -> i32 {
  %0 = pack.twice %x : i32
  return %0 : i32
}
