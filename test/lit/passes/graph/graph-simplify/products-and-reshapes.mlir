// RUN: mlc-opt %s --graph-simplify --cse | FileCheck %s
// RUN: mlc-opt %s --interpret --entry query_key_value --input iota > %t.before
// RUN: mlc-opt %s --graph-simplify --interpret --entry query_key_value --input iota > %t.after
// RUN: diff %t.before %t.after
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
// As torch exports nn.Linear: the matrix is transposed here. A reshape of more dimensions moves up, too.
// CHECK-LABEL: func.func @transposed_matrix
func.func @transposed_matrix(%x: tensor<6x8xf32>) -> tensor<1x6x16xf32> {
  // CHECK: %[[X:.*]] = graph.reshape %arg0 {{.*}} -> tensor<1x6x8xf32>
  // CHECK: %[[Y:.*]] = graph.matmul %[[X]], %{{.*}} : (tensor<1x6x8xf32>, tensor<8x16xf32>) -> tensor<1x6x16xf32>
  // CHECK-NEXT: return %[[Y]]
  %w = graph.constant dense<0.5> : tensor<16x8xf32>
  %0 = graph.gemm %x, %w {trans_b = true} : (tensor<6x8xf32>, tensor<16x8xf32>) -> tensor<6x16xf32>
  %1 = graph.reshape %0 {shape = array<i64: 6, 1, 16>} : (tensor<6x16xf32>) -> tensor<6x1x16xf32>
  %2 = graph.transpose %1 {perm = array<i64: 1, 0, 2>} : (tensor<6x1x16xf32>) -> tensor<1x6x16xf32>
  return %2 : tensor<1x6x16xf32>
}
// What is added differs from row to row, a transposed left side, a scaled one, rows that do not stay rows: as they are.
// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<6x8xf32>, %xt: tensor<8x6xf32>, %c: tensor<6x16xf32>) -> (tensor<2x3x16xf32>, tensor<2x3x16xf32>, tensor<2x3x16xf32>, tensor<2x6x8xf32>) {
  // CHECK-COUNT-4: graph.gemm
  // CHECK-NOT: graph.matmul
  // CHECK: return
  %w = graph.constant dense<0.5> : tensor<8x16xf32>
  %0 = graph.gemm %x, %w, %c : (tensor<6x8xf32>, tensor<8x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
  %1 = graph.reshape %0 {shape = array<i64: 2, 3, 16>} : (tensor<6x16xf32>) -> tensor<2x3x16xf32>
  %2 = graph.gemm %xt, %w {trans_a = true} : (tensor<8x6xf32>, tensor<8x16xf32>) -> tensor<6x16xf32>
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
// Query, key and value as torch's MultiheadAttention takes them apart: nothing is moved, and three windows are left.
// CHECK-LABEL: func.func @query_key_value
func.func @query_key_value(%x: tensor<5x1x24xf32>) -> (tensor<2x5x4xf32>, tensor<2x4x5xf32>, tensor<2x5x4xf32>) {
  // CHECK: %[[ALL:.*]] = graph.reshape %arg0 {{.*}} -> tensor<5x6x4xf32>
  // CHECK-DAG: %[[Q:.*]] = graph.slice %[[ALL]] {axes = array<i64: 1>, ends = array<i64: 2>, starts = array<i64: 0>}
  // CHECK-DAG: graph.transpose %[[Q]] {perm = array<i64: 1, 0, 2>}
  // CHECK-DAG: %[[K:.*]] = graph.slice %[[ALL]] {axes = array<i64: 1>, ends = array<i64: 4>, starts = array<i64: 2>}
  // CHECK-DAG: %[[V:.*]] = graph.slice %[[ALL]] {axes = array<i64: 1>, ends = array<i64: 6>, starts = array<i64: 4>}
  // CHECK-DAG: graph.transpose %[[V]] {perm = array<i64: 1, 0, 2>}
  // CHECK-DAG: graph.transpose %[[K]] {perm = array<i64: 1, 2, 0>}
  // CHECK-NOT: graph.transpose
  // CHECK: return
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %0 = graph.reshape %x {shape = array<i64: 1, 5, 1, 3, 8>} : (tensor<5x1x24xf32>) -> tensor<1x5x1x3x8xf32>
  %1 = graph.transpose %0 {perm = array<i64: 3, 1, 2, 0, 4>} : (tensor<1x5x1x3x8xf32>) -> tensor<3x5x1x1x8xf32>
  %2 = graph.reshape %1 {shape = array<i64: 3, 5, 1, 8>} : (tensor<3x5x1x1x8xf32>) -> tensor<3x5x1x8xf32>
  %q = graph.gather %2, %zero : (tensor<3x5x1x8xf32>, tensor<i64>) -> tensor<5x1x8xf32>
  %k = graph.gather %2, %one : (tensor<3x5x1x8xf32>, tensor<i64>) -> tensor<5x1x8xf32>
  %v = graph.gather %2, %two : (tensor<3x5x1x8xf32>, tensor<i64>) -> tensor<5x1x8xf32>
  %3 = graph.reshape %q {shape = array<i64: 5, 2, 4>} : (tensor<5x1x8xf32>) -> tensor<5x2x4xf32>
  %4 = graph.transpose %3 {perm = array<i64: 1, 0, 2>} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %5 = graph.reshape %k {shape = array<i64: 5, 2, 4>} : (tensor<5x1x8xf32>) -> tensor<5x2x4xf32>
  %6 = graph.transpose %5 {perm = array<i64: 1, 2, 0>} : (tensor<5x2x4xf32>) -> tensor<2x4x5xf32>
  %7 = graph.reshape %v {shape = array<i64: 5, 2, 4>} : (tensor<5x1x8xf32>) -> tensor<5x2x4xf32>
  %8 = graph.transpose %7 {perm = array<i64: 1, 0, 2>} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  return %4, %6, %8 : tensor<2x5x4xf32>, tensor<2x4x5xf32>, tensor<2x5x4xf32>
}
// CHECK-LABEL: func.func @no_whole_heads
func.func @no_whole_heads(%x: tensor<1x5x24xf32>) -> tensor<1x5x2x4xf32> {
  // CHECK: graph.slice %arg0
  // CHECK: graph.reshape
  %0 = graph.slice %x {starts = array<i64: 6>, ends = array<i64: 14>, axes = array<i64: 2>} : (tensor<1x5x24xf32>) -> tensor<1x5x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 1, 5, 2, 4>} : (tensor<1x5x8xf32>) -> tensor<1x5x2x4xf32>
  return %1 : tensor<1x5x2x4xf32>
}
// A slice has no encoding, which the reshape may say.
// CHECK-LABEL: func.func @encoded
func.func @encoded(%x: tensor<5x24xf32>) -> tensor<5x2x4xf32, "rows"> {
  // CHECK: graph.slice %arg0
  // CHECK: graph.reshape {{.*}} -> tensor<5x2x4xf32, "rows">
  %0 = graph.slice %x {starts = array<i64: 8>, ends = array<i64: 16>, axes = array<i64: 1>} : (tensor<5x24xf32>) -> tensor<5x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 5, 2, 4>} : (tensor<5x8xf32>) -> tensor<5x2x4xf32, "rows">
  return %1 : tensor<5x2x4xf32, "rows">
}
