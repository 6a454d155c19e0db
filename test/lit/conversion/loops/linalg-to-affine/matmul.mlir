// RUN: mlc-opt %s --convert-linalg-to-affine-loops | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run --input "dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>" | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt %s --convert-linalg-to-affine-loops --interpret --entry run --input "dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>" | FileCheck %s --check-prefix=RESULT
// One loop per iterator, operands at their indexing maps. The square of [[1, 2], [3, 4]] is [[7, 10], [15, 22]]; its sum is 54.
// RESULT: 5.400000e+01
// CHECK-LABEL: func.func @run
// CHECK: affine.store %cst
// CHECK: affine.for %[[M:arg[0-9]+]] = 0 to 2
// CHECK: affine.for %[[N:arg[0-9]+]] = 0 to 2
// CHECK: affine.for %[[K:arg[0-9]+]] = 0 to 2
// CHECK-DAG: affine.load %{{.*}}[%[[M]], %[[K]]]
// CHECK-DAG: affine.load %{{.*}}[%[[K]], %[[N]]]
// CHECK: affine.store %{{.*}}, %{{.*}}[%[[M]], %[[N]]]
func.func @run(%a: memref<2x2xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<2x2xf32>)
  linalg.matmul ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%c : memref<2x2xf32>)
  %s = affine.for %i = 0 to 2 iter_args(%x = %zero) -> (f32) {
    %t = affine.for %j = 0 to 2 iter_args(%y = %x) -> (f32) {
      %v = affine.load %c[%i, %j] : memref<2x2xf32>
      %w = arith.addf %y, %v : f32
      affine.yield %w : f32
    }
    affine.yield %t : f32
  }
  return %s : f32
}
