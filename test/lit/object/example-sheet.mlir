// REQUIRES: target
// RUN: mlc run --load=%S/../../../examples/sheet/sheet.yaml %S/../../../examples/sheet/sheet.mlir -e main --input 'dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>' --input 5 --input 0.0 | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt --load=%S/../../../examples/sheet/sheet.yaml %S/../../../examples/sheet/sheet.mlir --lower=by=sheet_to_linalg | FileCheck %s
// RUN: mlc-opt --load=%S/../../../examples/sheet/sheet.yaml %s --canonicalize | FileCheck %s --check-prefix=NOTHING
// Regions that rules write, and look into: to native code.
// RESULT: dense<[6.000000e+00, 1.500000e+01]> : tensor<2xf32>
// RESULT-NEXT: dense<{{\[\[}}5.000000e-01, 8.000000e+00], [2.000000e+00, 1.250000e+01], [4.500000e+00, 1.800000e+01]]>
// RESULT-NEXT: dense<{{\[\[}}5.000000e-01, 2.000000e+00, 4.500000e+00], [8.000000e+00, 1.250000e+01, 1.800000e+01]]>
// RESULT-NEXT: 3.200000e+01 : f32
// RESULT-NEXT: 0.5403023
// CHECK: linalg.reduce
// CHECK: linalg.square
// CHECK: linalg.map
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-COUNT-2: call @cos
// CHECK: func.func private @cos(f64) -> f64
// NOTHING: return %arg0
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sheet.map %x : tensor<4xf32> {
  ^bb0(%a: f32):
    sheet.give %a : f32
  }
  return %0 : tensor<4xf32>
}
