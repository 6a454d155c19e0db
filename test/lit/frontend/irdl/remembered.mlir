// RUN: mkdir -p %t && cd %t && cp %S/Inputs/shapes.irdl.mlir .
// RUN: not mlc-opt --irdl-file=shapes.irdl.mlir %s --lower=by=none --mlir-pass-pipeline-crash-reproducer=r.mlir
// RUN: FileCheck %s --check-prefix=TEXT < r.mlir
// RUN: not mlc-opt r.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: mlc-opt --irdl-file=shapes.irdl.mlir %s --emit-bytecode -o a.mlirbc && mlc-opt --irdl-file=shapes.irdl.mlir %s --emit-mlc-bytecode -o b.mlirbc
// RUN: cd / && mlc-opt %t/a.mlirbc | FileCheck %s && mlc-opt %t/b.mlirbc | FileCheck %s
// RUN: mlc-opt --irdl-file=%t/shapes.irdl.mlir %t/a.mlirbc | FileCheck %s
// RUN: cd %t && rm shapes.irdl.mlir && not mlc-opt b.mlirbc 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo 'irdl.dialect' > shapes.irdl.mlir && not mlc-opt b.mlirbc 2>&1 | FileCheck %s --check-prefix=WRONG
// Reproducers and bytecode remember a file in IRDL, once for all of its dialects.

// TEXT: mlc_loaded: {
// TEXT-NEXT: irdl0: "{{/.*}}/shapes.irdl.mlir"
// TEXT-NEXT: }
// AGAIN: error: no rules that are loaded have a lowering 'none'
// CHECK: "shapes.open"(%arg0) : (!shapes.box<f32>) -> f32
// MISSING: b.mlirbc:{{.*}} error: written with the dialects in '{{/.*}}/shapes.irdl.mlir': No such file or directory
// WRONG: shapes.irdl.mlir:{{.*}} error:
func.func @open(%f: !shapes.box<f32>) -> f32 {
  %0 = "shapes.open"(%f) : (!shapes.box<f32>) -> f32
  return %0 : f32
}
