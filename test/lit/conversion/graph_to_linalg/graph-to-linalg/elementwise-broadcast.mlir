// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// Sizes of 1 are dropped, so that every map is a projected permutation.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.collapse_shape {{.*}} : tensor<3x1x1xf32> into tensor<3xf32>
// CHECK: arith.mulf {{.*}} fastmath<contract> : f32
// CHECK: arith.addf {{.*}} fastmath<contract> : f32
func.func @f(%x: tensor<2x3x4x4xf32>, %scale: tensor<3x1x1xf32>, %shift: tensor<f32>) -> tensor<2x3x4x4xf32> {
  %0 = graph.mul %x, %scale : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %1 = graph.add %0, %shift : (tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<2x3x4x4xf32>
  return %1 : tensor<2x3x4x4xf32>
}
