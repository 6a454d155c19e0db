// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry lines --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry lines --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --interpret --entry blocks --input integers:1 --input integers:2 > %t.before3
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry blocks --input integers:1 --input integers:2 > %t.after3
// RUN: diff %t.before3 %t.after3
// One filter per channel: channels stay the last loop of the result, with no loop of one group's channels behind them.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d3 * 3, d2)>
// CHECK-DAG: #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @lines
// CHECK-NOT: graph.
// CHECK: tensor.collapse_shape {{.*}} : tensor<3x1x4xf32> into tensor<3x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[TAPS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
func.func @lines(%x: tensor<2x14x4xf32>, %w: tensor<3x1x4xf32>, %b: tensor<4xf32>) -> tensor<2x6x4xf32> {
  %y = graph.conv %x, %w, %b {group = 4 : i64, layout = #graph.layout<nhwc>, pads = array<i64: 2, 1>, strides = array<i64: 2>, dilations = array<i64: 3>} : (tensor<2x14x4xf32>, tensor<3x1x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}
// CHECK-LABEL: func.func @blocks
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
func.func @blocks(%x: tensor<1x4x5x6x4xf32>, %w: tensor<3x3x2x1x4xf32>) -> tensor<1x4x5x5x4xf32> {
  %y = graph.conv %x, %w {group = 4 : i64, layout = #graph.layout<nhwc>, pads = array<i64: 1, 1, 0, 1, 1, 0>} : (tensor<1x4x5x6x4xf32>, tensor<3x3x2x1x4xf32>) -> tensor<1x4x5x5x4xf32>
  return %y : tensor<1x4x5x5x4xf32>
}
