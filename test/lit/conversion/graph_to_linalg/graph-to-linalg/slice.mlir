// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --check-prefix=VALUES < %t.after
// Neighbours are a window, and so is every second row of it; backwards each element is named.
// VALUES: dense<{{\[\[}}5, 6], [9, 10]]> : tensor<2x2xi32>
// VALUES-NEXT: dense<{{\[\[}}11, 9], [7, 5], [3, 1]]> : tensor<3x2xi32>
// VALUES-NEXT: dense<{{\[\[}}1, 3], [9, 11]]> : tensor<2x2xi32>
// CHECK: #[[STEPS:.*]] = affine_map<(d0, d1) -> (d0 * 2, d1 * 2)>
// CHECK-LABEL: func.func @f
// CHECK: tensor.extract_slice %{{.*}}[1, 1] [2, 2] [1, 1]
// CHECK: tensor.extract %
// CHECK: %[[W:.*]] = tensor.extract_slice %{{.*}}[0, 1] [3, 3] [1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[STEPS]], {{.*}} ins(%[[W]] : tensor<3x3xi32>)
func.func @f(%x: tensor<3x4xi32>) -> (tensor<2x2xi32>, tensor<3x2xi32>, tensor<2x2xi32>) {
  %0 = graph.slice %x {starts = array<i64: 1, 1>, ends = array<i64: 9, -1>} : (tensor<3x4xi32>) -> tensor<2x2xi32>
  %1 = graph.slice %x {starts = array<i64: -1, 5>, ends = array<i64: -9, -9>, axes = array<i64: 0, 1>, steps = array<i64: -1, -2>} : (tensor<3x4xi32>) -> tensor<3x2xi32>
  %2 = graph.slice %x {starts = array<i64: 0, 1>, ends = array<i64: 9, 9>, axes = array<i64: 0, 1>, steps = array<i64: 2, 2>} : (tensor<3x4xi32>) -> tensor<2x2xi32>
  return %0, %1, %2 : tensor<2x2xi32>, tensor<3x2xi32>, tensor<2x2xi32>
}
