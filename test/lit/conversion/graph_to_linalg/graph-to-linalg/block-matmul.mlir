// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s | mlc-opt | FileCheck %s --check-prefix=TRIP
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// Integers with a scale for each block of a column: blocks and places in them are the reductions.
// TRIP: graph.block_matmul %arg0, %{{.*}}, %{{.*}} : (tensor<2x6xf32>, tensor<3x2x3xi8>, tensor<3x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[X]],
// CHECK: %[[NUMBER:.*]] = arith.sitofp %{{.*}} : i8 to f32
// CHECK: %[[W:.*]] = arith.mulf %[[NUMBER]], %{{.*}} : f32
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %[[W]] {{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[P]]
func.func @f(%x: tensor<2x6xf32>) -> tensor<2x3xf32> {
  %w = graph.constant dense<[[[1, -2, 3], [4, 5, -6]], [[7, 8, 9], [-1, 2, 0]], [[3, 3, 3], [-128, 127, 1]]]> : tensor<3x2x3xi8>
  %s = graph.constant dense<[[0.5, 1.0, 2.0], [0.25, 0.125, 1.0], [1.0, 0.5, 4.0]]> : tensor<3x3xf32>
  %y = graph.block_matmul %x, %w, %s : (tensor<2x6xf32>, tensor<3x2x3xi8>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
