// RUN: mlc-opt %s --graph-simplify --cse | FileCheck %s
// Rows whose number is open are regrouped as others are: their sizes are texts.

// Keys out of queries, keys and values.
// CHECK-LABEL: func.func @heads
// CHECK: %[[ALL:.*]] = graph.reshape %arg0 {{.*}}sizes = ["batch", "seq", "", ""]{{.*}} -> tensor<?x?x6x4xf32
// CHECK: graph.slice %[[ALL]] {axes = array<i64: 2>, ends = array<i64: 4>, starts = array<i64: 2>}
!all = tensor<?x?x24xf32, #graph.dims<["batch", "seq", ""]>>
!keys = tensor<?x?x8xf32, #graph.dims<["batch", "seq", ""]>>
!heads = tensor<?x?x2x4xf32, #graph.dims<["batch", "seq", "", ""]>>
func.func @heads(%x: !all) -> !heads {
  %0 = graph.slice %x {starts = array<i64: 8>, ends = array<i64: 16>, axes = array<i64: 2>} : (!all) -> !keys
  %1 = graph.reshape %0 {shape = array<i64: 1, 1, 2, 4>, sizes = ["batch", "seq", "", ""]} : (!keys) -> !heads
  return %1 : !heads
}

// A linear layer as a product between reshapes.
// CHECK-LABEL: func.func @linear
// CHECK: %[[P:.*]] = graph.matmul %arg0, %{{.*}} -> tensor<?x?x16xf32, #graph.dims<["batch", "seq", ""]>>
// CHECK: graph.add %[[P]]
!x = tensor<?x?x8xf32, #graph.dims<["batch", "seq", ""]>>
!rows = tensor<?x8xf32, #graph.dims<["batch*seq", ""]>>
!products = tensor<?x16xf32, #graph.dims<["batch*seq", ""]>>
!y = tensor<?x?x16xf32, #graph.dims<["batch", "seq", ""]>>
func.func @linear(%x: !x) -> !y {
  %w = graph.constant dense<0.5> : tensor<8x16xf32>
  %b = graph.constant dense<1.0> : tensor<16xf32>
  %0 = graph.reshape %x {shape = array<i64: -1, 8>} : (!x) -> !rows
  %1 = graph.gemm %0, %w, %b : (!rows, tensor<8x16xf32>, tensor<16xf32>) -> !products
  %2 = graph.reshape %1 {shape = array<i64: 1, 1, 16>, sizes = ["batch", "seq", ""]} : (!products) -> !y
  return %2 : !y
}

// Where a slice begins is known when the model runs: it stays where it is.
// CHECK-LABEL: func.func @position
// CHECK: graph.slice %arg0
// CHECK: graph.reshape
func.func @position(%table: tensor<32x8xf32>, %past: tensor<?xf32, #graph.dims<["past"]>>) -> tensor<1x2x4xf32> {
  %0 = graph.slice %table {starts = array<i64: 0>, ends = array<i64: 1>, axes = array<i64: 0>, start_sizes = ["past"], end_sizes = ["past + 1"]} : (tensor<32x8xf32>) -> tensor<1x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 1, 2, 4>} : (tensor<1x8xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}
