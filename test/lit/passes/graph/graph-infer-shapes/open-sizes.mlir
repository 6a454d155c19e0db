// RUN: mlc-opt %s --graph-infer-shapes | FileCheck %s
// Sizes that are known when the model runs are texts: sums, products, what a reshape lacks, and where slices are cut.
!x = tensor<?x?x4xf32, #graph.dims<["batch", "seq", ""]>>
!past = tensor<?x?x4xf32, #graph.dims<["batch", "past", ""]>>
// CHECK-LABEL: func.func @sums
func.func @sums(%x: !x, %past: !past) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // CHECK: graph.concat {{.*}} -> tensor<?x?x4xf32, #graph.dims<["batch", "past + seq", ""]>>
  %0 = graph.concat %past, %x {axis = 1 : i64} : (!past, !x) -> tensor<*xf32>
  // CHECK: graph.flatten {{.*}} -> tensor<?x4xf32, #graph.dims<["batch*past + batch*seq", ""]>>
  %1 = graph.flatten %0 {axis = 2 : i64} : (tensor<*xf32>) -> tensor<*xf32>
  // CHECK: graph.pad {{.*}} -> tensor<?x?x4xf32, #graph.dims<["batch", "past + seq + 3", ""]>>
  %2 = graph.pad %0 {pads = array<i64: 0, 1, 0, 0, 2, 0>, value = 0.0 : f32} : (tensor<*xf32>) -> tensor<*xf32>
  return %0, %1, %2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
// CHECK-LABEL: func.func @reshapes
func.func @reshapes(%x: !x) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK: graph.reshape {{.*}} -> tensor<?x?x2x2xf32, #graph.dims<["batch", "seq", "", ""]>>
  %0 = graph.reshape %x {shape = array<i64: 1, -1, 2, 2>, sizes = ["batch", "", "", ""]} : (!x) -> tensor<*xf32>
  // CHECK: graph.reshape {{.*}} -> tensor<?x3xf32, #graph.dims<["floordiv(4*batch*seq, 3)", ""]>>
  %1 = graph.reshape %x {shape = array<i64: -1, 3>} : (!x) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}
// CHECK-LABEL: func.func @slices
func.func @slices(%x: !x, %table: tensor<1x64xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // CHECK: graph.slice {{.*}} -> tensor<?x?x4xf32, #graph.dims<["batch", "max(0, seq - 1)", ""]>>
  %0 = graph.slice %x {starts = array<i64: 1>, ends = array<i64: 9223372036854775807>, axes = array<i64: 1>} : (!x) -> tensor<*xf32>
  // CHECK: graph.slice {{.*}} -> tensor<1x?xf32, #graph.dims<["", "seq"]>>
  %1 = graph.slice %table {starts = array<i64: 0>, ends = array<i64: 0>, axes = array<i64: 1>, start_sizes = ["past"],
                           end_sizes = ["past + seq"]} : (tensor<1x64xf32>) -> tensor<*xf32>
  // CHECK: graph.slice {{.*}} -> tensor<?x?x4xf32, #graph.dims<["batch", "floordiv(seq + 1, 2)", ""]>>
  %2 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 9223372036854775807>, axes = array<i64: 1>, steps = array<i64: 2>} : (!x) -> tensor<*xf32>
  return %0, %1, %2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
