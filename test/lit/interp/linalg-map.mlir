// RUN: mlc-opt %s --interpret | FileCheck %s
// The body of linalg.map has no argument for what is written.
// CHECK: dense<2.000000e+00>
// CHECK-NEXT: dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]>
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %x = arith.constant 2.0 : f32
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = linalg.map outs(%a : tensor<3xf32>) () { linalg.yield %x : f32 }
  %1 = linalg.map ins(%a : tensor<3xf32>) outs(%a : tensor<3xf32>) (%e: f32) { %s = arith.addf %e, %x : f32
    linalg.yield %s : f32 }
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
