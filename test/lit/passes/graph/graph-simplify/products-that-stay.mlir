// RUN: mlc-opt %s --graph-simplify --threads=1 --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// Products that take no bias, no transpose and no reshape in; the log of actions says why.
// CHECK-LABEL: func.func @plain
// CHECK: graph.matmul %arg0, %arg1
// CHECK: graph.gemm %arg0, %arg1
// CHECK: graph.add %arg2, %arg2
// LOG-DAG: `matmul-of-constant-transpose` on 'graph.matmul': its second operand is no transposed constant
// LOG-DAG: `matmul-of-transpose` on 'graph.matmul': its second operand is no transposed matrix
// LOG-DAG: `gemm-of-transpose` on 'graph.gemm': no operand is a transposed matrix
// LOG-DAG: `add-to-conv-bias` on 'graph.add': it adds nothing constant to a convolution
// LOG-DAG: `add-to-gemm` on 'graph.add': it adds no vector to a product of matrices
func.func @plain(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>) {
  %0 = graph.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = graph.gemm %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = graph.add %b, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>
}
// Rows are split where columns were, or the matrix comes from outside.
// CHECK-LABEL: func.func @under_reshapes
// CHECK: %[[P:.*]] = graph.gemm
// CHECK: graph.reshape %[[P]]
// CHECK: %[[Q:.*]] = graph.gemm
// CHECK: graph.reshape %[[Q]]
// LOG-DAG: `product-under-reshape` on 'graph.reshape': its rows are not the product's
// LOG-DAG: `product-under-reshape` on 'graph.reshape': its matrix is no constant, or has no bytes
// LOG-DAG: `product-under-reshape` on 'graph.reshape': its input is no product of rows
func.func @under_reshapes(%x: tensor<6x3xf32>, %w: tensor<3x4xf32>) -> (tensor<6x2x2xf32>, tensor<2x3x4xf32>, tensor<18xf32>) {
  %0 = graph.gemm %x, %w : (tensor<6x3xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  %1 = graph.reshape %0 {shape = array<i64: 6, 2, 2>} : (tensor<6x4xf32>) -> tensor<6x2x2xf32>
  %2 = graph.gemm %x, %w : (tensor<6x3xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  %3 = graph.reshape %2 {shape = array<i64: 2, 3, 4>} : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %4 = graph.reshape %x {shape = array<i64: 18>} : (tensor<6x3xf32>) -> tensor<18xf32>
  return %1, %3, %4 : tensor<6x2x2xf32>, tensor<2x3x4xf32>, tensor<18xf32>
}
// The constant is a resource that the file does not bring.
// CHECK-LABEL: func.func @without_bytes
// CHECK: %[[T:.*]] = graph.transpose
// CHECK: graph.matmul %arg0, %[[T]]
// LOG-DAG: `matmul-of-constant-transpose` on 'graph.matmul': the constant has no bytes
func.func @without_bytes(%x: tensor<2x2x3xf32>) -> tensor<2x2x4xf32> {
  %w = graph.constant dense_resource<missing> : tensor<4x3xf32>
  %0 = graph.transpose %w {perm = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = graph.matmul %x, %0 : (tensor<2x2x3xf32>, tensor<3x4xf32>) -> tensor<2x2x4xf32>
  return %1 : tensor<2x2x4xf32>
}
