// RUN: mlc-opt %s --graph-simplify --threads=1 --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// A slice moves behind a reshape only where it is whole groups of a dimension that the reshape splits.
// CHECK-LABEL: func.func @under_reshapes
// CHECK: %[[A:.*]] = graph.slice
// CHECK: graph.reshape %[[A]]
// CHECK: %[[B:.*]] = graph.slice
// CHECK: graph.reshape %[[B]]
// CHECK: %[[C:.*]] = graph.slice
// CHECK: graph.reshape %[[C]]
// LOG-DAG: `reshape-of-slice` on 'graph.reshape': the slice cuts more than one dimension
// LOG-DAG: `reshape-of-slice` on 'graph.reshape': it splits no dimension that begins where the slice's does
// LOG-DAG: `reshape-of-slice` on 'graph.reshape': the slice is no whole groups
func.func @under_reshapes(%x: tensor<4x12xf32>) -> (tensor<2x2x4xf32>, tensor<16xf32>, tensor<4x2x2xf32>) {
  %0 = graph.slice %x {axes = array<i64: 0, 1>, starts = array<i64: 0, 0>, ends = array<i64: 2, 8>} : (tensor<4x12xf32>) -> tensor<2x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 2, 2, 4>} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %2 = graph.slice %x {axes = array<i64: 1>, starts = array<i64: 4>, ends = array<i64: 8>} : (tensor<4x12xf32>) -> tensor<4x4xf32>
  %3 = graph.reshape %2 {shape = array<i64: 16>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %4 = graph.slice %x {axes = array<i64: 1>, starts = array<i64: 1>, ends = array<i64: 5>} : (tensor<4x12xf32>) -> tensor<4x4xf32>
  %5 = graph.reshape %4 {shape = array<i64: 4, 2, 2>} : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
  return %1, %3, %5 : tensor<2x2x4xf32>, tensor<16xf32>, tensor<4x2x2xf32>
}
// A slice of a transpose goes before it, but for what the reshape between them mixes, and unknown sizes.
// CHECK-LABEL: func.func @of_transposes
// CHECK: %[[T:.*]] = graph.transpose
// CHECK: %[[R:.*]] = graph.reshape %[[T]]
// CHECK: graph.slice %[[R]]
// CHECK: %[[U:.*]] = graph.transpose
// CHECK: graph.slice %[[U]]
// LOG-DAG: `slice-of-transpose` on 'graph.slice': it is no slice of a transpose along one dimension
// LOG-DAG: `slice-of-transpose` on 'graph.slice': the reshape does not keep the dimension
func.func @of_transposes(%x: tensor<4x6xf32>) -> (tensor<2x12xf32>, tensor<2x2xf32>) {
  %0 = graph.transpose %x {perm = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = graph.reshape %0 {shape = array<i64: 2, 12>} : (tensor<6x4xf32>) -> tensor<2x12xf32>
  %2 = graph.slice %1 {axes = array<i64: 1>, starts = array<i64: 0>, ends = array<i64: 3>} : (tensor<2x12xf32>) -> tensor<2x3xf32>
  %3 = graph.concat %2, %2, %2, %2 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x12xf32>
  %4 = graph.transpose %x {perm = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %5 = graph.slice %4 {axes = array<i64: 0, 1>, starts = array<i64: 0, 0>, ends = array<i64: 2, 2>} : (tensor<6x4xf32>) -> tensor<2x2xf32>
  return %3, %5 : tensor<2x12xf32>, tensor<2x2xf32>
}
// Nor of a transpose that others read whole, into a type that says more than a slice's, or where there are no elements.
// CHECK-LABEL: func.func @of_both
// LOG-DAG: `reshape-of-slice` on 'graph.reshape': it is a slice of a transpose, which comes first
// LOG-DAG: `reshape-of-slice` on 'graph.reshape': a slice's result has no encoding
// LOG-DAG: `slice-of-transpose` on 'graph.slice': a size is unknown, or 0
func.func @of_both(%x: tensor<4x6xf32>, %y: tensor<4x0xf32>) -> (tensor<6x4xf32>, tensor<3x2x2xf32>, tensor<2x3x2xf32, "rows">, tensor<0x2xf32>) {
  %0 = graph.transpose %x {perm = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = graph.slice %0 {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 3>} : (tensor<6x4xf32>) -> tensor<3x4xf32>
  %2 = graph.reshape %1 {shape = array<i64: 3, 2, 2>} : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
  %3 = graph.slice %x {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 2>} : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %4 = graph.reshape %3 {shape = array<i64: 2, 3, 2>} : (tensor<2x6xf32>) -> tensor<2x3x2xf32, "rows">
  %5 = graph.transpose %y {perm = array<i64: 1, 0>} : (tensor<4x0xf32>) -> tensor<0x4xf32>
  %6 = graph.slice %5 {axes = array<i64: 1>, starts = array<i64: 0>, ends = array<i64: 2>} : (tensor<0x4xf32>) -> tensor<0x2xf32>
  return %0, %2, %4, %6 : tensor<6x4xf32>, tensor<3x2x2xf32>, tensor<2x3x2xf32, "rows">, tensor<0x2xf32>
}
