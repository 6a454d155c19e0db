// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// A linear layer as Gemm between reshapes is a product of rows, so that what follows can be computed with it.
// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<2x3x8xf32>) -> tensor<2x3x16xf32> {
  // CHECK-DAG: %[[W:.*]] = graph.constant dense<5.000000e-01> : tensor<8x16xf32>
  // CHECK-DAG: %[[B:.*]] = graph.constant dense<1.000000e+00> : tensor<16xf32>
  // CHECK: %[[P:.*]] = graph.matmul %arg0, %[[W]] : (tensor<2x3x8xf32>, tensor<8x16xf32>) -> tensor<2x3x16xf32>
  // CHECK: %[[Y:.*]] = graph.add %[[P]], %[[B]]
  // CHECK-NEXT: return %[[Y]]
  %w = graph.constant dense<0.5> : tensor<8x16xf32>
  %b = graph.constant dense<1.0> : tensor<16xf32>
  %0 = graph.reshape %x {shape = array<i64: -1, 8>} : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
  %1 = graph.gemm %0, %w, %b : (tensor<6x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<6x16xf32>
  %2 = graph.reshape %1 {shape = array<i64: 2, 3, 16>} : (tensor<6x16xf32>) -> tensor<2x3x16xf32>
  return %2 : tensor<2x3x16xf32>
}
// What is added differs from row to row, a transposed or scaled matrix, rows that do not stay rows: as they are.
// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<6x8xf32>, %c: tensor<6x16xf32>) -> (tensor<2x3x16xf32>, tensor<2x3x16xf32>, tensor<2x3x16xf32>, tensor<2x6x8xf32>) {
  // CHECK-COUNT-4: graph.gemm
  // CHECK-NOT: graph.matmul
  // CHECK: return
  %w = graph.constant dense<0.5> : tensor<8x16xf32>
  %wt = graph.constant dense<0.5> : tensor<16x8xf32>
  %0 = graph.gemm %x, %w, %c : (tensor<6x8xf32>, tensor<8x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
  %1 = graph.reshape %0 {shape = array<i64: 2, 3, 16>} : (tensor<6x16xf32>) -> tensor<2x3x16xf32>
  %2 = graph.gemm %x, %wt {trans_b = true} : (tensor<6x8xf32>, tensor<16x8xf32>) -> tensor<6x16xf32>
  %3 = graph.reshape %2 {shape = array<i64: 2, 3, 16>} : (tensor<6x16xf32>) -> tensor<2x3x16xf32>
  %4 = graph.gemm %x, %w {alpha = 2.0 : f32} : (tensor<6x8xf32>, tensor<8x16xf32>) -> tensor<6x16xf32>
  %5 = graph.reshape %4 {shape = array<i64: 2, 3, 16>} : (tensor<6x16xf32>) -> tensor<2x3x16xf32>
  %6 = graph.gemm %x, %w : (tensor<6x8xf32>, tensor<8x16xf32>) -> tensor<6x16xf32>
  %7 = graph.reshape %6 {shape = array<i64: 2, 6, 8>} : (tensor<6x16xf32>) -> tensor<2x6x8xf32>
  return %1, %3, %5, %7 : tensor<2x3x16xf32>, tensor<2x3x16xf32>, tensor<2x3x16xf32>, tensor<2x6x8xf32>
}
// Keys out of queries, keys and values: their heads are the middle third of all heads.
// CHECK-LABEL: func.func @heads
func.func @heads(%x: tensor<1x5x24xf32>) -> tensor<1x5x2x4xf32> {
  // CHECK: %[[ALL:.*]] = graph.reshape %arg0 {{.*}} : (tensor<1x5x24xf32>) -> tensor<1x5x6x4xf32>
  // CHECK: graph.slice %[[ALL]] {axes = array<i64: 2>, ends = array<i64: 4>, starts = array<i64: 2>} : (tensor<1x5x6x4xf32>) -> tensor<1x5x2x4xf32>
  %0 = graph.slice %x {starts = array<i64: 8>, ends = array<i64: 16>, axes = array<i64: 2>} : (tensor<1x5x24xf32>) -> tensor<1x5x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 1, 5, 2, 4>} : (tensor<1x5x8xf32>) -> tensor<1x5x2x4xf32>
  return %1 : tensor<1x5x2x4xf32>
}
// CHECK-LABEL: func.func @no_whole_heads
func.func @no_whole_heads(%x: tensor<1x5x24xf32>) -> tensor<1x5x2x4xf32> {
  // CHECK: graph.slice %arg0
  // CHECK: graph.reshape
  %0 = graph.slice %x {starts = array<i64: 6>, ends = array<i64: 14>, axes = array<i64: 2>} : (tensor<1x5x24xf32>) -> tensor<1x5x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 1, 5, 2, 4>} : (tensor<1x5x8xf32>) -> tensor<1x5x2x4xf32>
  return %1 : tensor<1x5x2x4xf32>
}
