// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota --input iota > %t.before
// RUN: mlc-opt %s --graph-integer-products --target=x86-64-v4-vnni --interpret --entry f --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// A zero point that is computed is put around the image by a mask, and multiplied with the weights' sums when the model runs.
// CHECK-DAG: %[[MASK:.*]] = graph.constant dense<{{\[\[\[}}[1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]]]> : tensor<1x1x4x4xui8>
// CHECK-DAG: %[[SUMS:.*]] = graph.constant dense<32> : tensor<3x1x1xi32>
// CHECK: %[[ZERO:.*]] = graph.cast %arg1 : (tensor<i32>) -> tensor<ui8>
// CHECK: %[[BORDER:.*]] = graph.mul %[[ZERO]], %[[MASK]]
// CHECK: %[[X:.*]] = graph.add %{{.*}}, %[[BORDER]]
// CHECK: %[[Y:.*]] = graph.conv %[[X]]
// CHECK: %[[LESS:.*]] = graph.mul %arg1, %[[SUMS]]
// CHECK: graph.sub %[[Y]], %[[LESS]]
func.func @f(%x: tensor<1x4x3x3xui8>, %z: tensor<i32>) -> tensor<1x3x3x3xi32> {
  %w = graph.constant dense<2> : tensor<3x4x2x2xi32>
  %a = graph.cast %x : (tensor<1x4x3x3xui8>) -> tensor<1x4x3x3xi32>
  %b = graph.sub %a, %z : (tensor<1x4x3x3xi32>, tensor<i32>) -> tensor<1x4x3x3xi32>
  %y = graph.conv %b, %w {pads = array<i64: 1, 1, 0, 0>} : (tensor<1x4x3x3xi32>, tensor<3x4x2x2xi32>) -> tensor<1x3x3x3xi32>
  return %y : tensor<1x3x3x3xi32>
}
