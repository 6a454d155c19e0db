// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=aarch64-dotprod | FileCheck %s --check-prefix=SIGNED
// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4 | FileCheck %s --check-prefix=NONE
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --graph-integer-products --target=x86-64-v4-vnni --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --graph-integer-products --target=aarch64-dotprod --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// A product of bytes less a zero point: of the bytes themselves, moved to the sign that the machine multiplies, and
// the zero point times the weights' sums. The inner size becomes a multiple of four.
// CHECK-DAG: %[[SUMS:.*]] = graph.constant dense<[15327, -18340, -1965]> : tensor<3xi32>
// CHECK-DAG: %[[W:.*]] = graph.constant dense<{{.*}}, [0, 0, 0], [0, 0, 0], [0, 0, 0]]> : tensor<8x3xi8>
// CHECK: %[[X:.*]] = graph.cast %{{.*}} : (tensor<2x5xi32>) -> tensor<2x5xui8>
// CHECK: %[[P:.*]] = graph.pad %[[X]] {pads = array<i64: 0, 0, 0, 3>, value = 1.310000e+02 : f32}
// CHECK: %[[Y:.*]] = graph.matmul %[[P]], %[[W]] : (tensor<2x8xui8>, tensor<8x3xi8>) -> tensor<2x3xi32>
// CHECK: graph.add %[[Y]], %[[SUMS]]
// SIGNED: graph.constant dense<[351, -420, -45]> : tensor<3xi32>
// SIGNED: graph.matmul %{{.*}} : (tensor<2x8xi8>, tensor<8x3xi8>) -> tensor<2x3xi32>
// NONE: graph.matmul %{{.*}} : (tensor<2x5xi32>, tensor<5x3xi32>) -> tensor<2x3xi32>
func.func @f(%x: tensor<2x5xi8>) -> tensor<2x3xi32> {
  %w = graph.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, -2, -3], [-128, 127, 0]]> : tensor<5x3xi8>
  %zx = graph.constant dense<3> : tensor<i32>
  %a = graph.cast %x : (tensor<2x5xi8>) -> tensor<2x5xi32>
  %b = graph.sub %a, %zx : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>
  %c = graph.cast %w : (tensor<5x3xi8>) -> tensor<5x3xi32>
  %y = graph.matmul %b, %c : (tensor<2x5xi32>, tensor<5x3xi32>) -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}
