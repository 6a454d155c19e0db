// REQUIRES: mlc-opt, not
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize{max-iterations=3}))' | FileCheck %s
// RUN: mlc-opt %s --cse --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(func.func(cze))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(canonicalize{max-itterations=3})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(canonicalize{max-iterations=many})' 2>&1 | FileCheck %s --check-prefix=VALUE
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: arith.muli
// DUMP: IR Dump After {{.*}}cse
// UNKNOWN: error: unknown pass 'cze'; did you mean 'cse'?
// OPEN: error: pass pipeline: unexpected end of file
// OPTION: error: pass 'canonicalize' has no option 'max-itterations'; did you mean 'max-iterations'?
// VALUE: error: option 'max-iterations' of pass 'canonicalize' wants an integer, got 'many'
func.func @twice(%a: i32) -> (i32, i32) {
  %x = arith.muli %a, %a : i32
  %y = arith.muli %a, %a : i32
  return %x, %y : i32, i32
}
