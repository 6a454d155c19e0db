// RUN: mlc-opt %s --fuse --target=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: mlc-opt %s --fuse --target=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,MANY
// A window is read where it is, by element-wise ops, transposes and rows of products.
// CHECK-LABEL: func.func @readers
func.func @readers(%x: tensor<6x24xf32>) -> (tensor<6x8xf32>, tensor<8x6xf32>) {
  // CHECK: graph.kernel
  // CHECK-COUNT-2: graph.slice
  // CHECK: graph.mul
  // CHECK: graph.kernel
  // CHECK: graph.slice
  // CHECK: graph.transpose
  %0 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 8>, axes = array<i64: 1>} : (tensor<6x24xf32>) -> tensor<6x8xf32>
  %1 = graph.slice %x {starts = array<i64: 8>, ends = array<i64: 16>, axes = array<i64: 1>} : (tensor<6x24xf32>) -> tensor<6x8xf32>
  %2 = graph.slice %x {starts = array<i64: 16>, ends = array<i64: 24>, axes = array<i64: 1>} : (tensor<6x24xf32>) -> tensor<6x8xf32>
  %3 = graph.mul %0, %1 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %4 = graph.transpose %2 {perm = array<i64: 1, 0>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %3, %4 : tensor<6x8xf32>, tensor<8x6xf32>
}
// Rows 12 KiB apart fall on one set of the first cache: few of them stay there, more are copied.
// CHECK-LABEL: func.func @product
func.func @product(%x: tensor<64x3072xf32>) -> tensor<64x32xf32> {
  // CHECK: graph.kernel
  // CHECK: graph.slice
  // MANY: graph.kernel
  // FEW-NOT: graph.kernel
  // CHECK: graph.matmul
  %w = graph.constant dense<0.5> : tensor<1536x32xf32>
  %0 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 1536>, axes = array<i64: 1>} : (tensor<64x3072xf32>) -> tensor<64x1536xf32>
  %1 = graph.matmul %0, %w : (tensor<64x1536xf32>, tensor<1536x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
// With a step, or for two readers, it is copied once.
// CHECK-LABEL: func.func @copied
func.func @copied(%x: tensor<6x24xf32>) -> (tensor<12x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>) {
  // CHECK: graph.kernel
  // CHECK-NEXT: ^
  // CHECK-NEXT: graph.slice {{.*}}steps
  // CHECK-NEXT: graph.yield
  // CHECK: graph.kernel
  // CHECK-NEXT: ^
  // CHECK-NEXT: graph.transpose
  // CHECK: graph.kernel
  // CHECK-NEXT: ^
  // CHECK-NEXT: graph.slice
  // CHECK-NEXT: graph.yield
  %0 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 24>, axes = array<i64: 1>, steps = array<i64: 2>} : (tensor<6x24xf32>) -> tensor<6x12xf32>
  %1 = graph.transpose %0 {perm = array<i64: 1, 0>} : (tensor<6x12xf32>) -> tensor<12x6xf32>
  %2 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 8>, axes = array<i64: 1>} : (tensor<6x24xf32>) -> tensor<6x8xf32>
  %3 = graph.transpose %2 {perm = array<i64: 1, 0>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %4 = graph.relu %2 : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %1, %3, %4 : tensor<12x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>
}
