// RUN: mlc-opt %s --tile --canonicalize --target=x86-64-v3 | FileCheck %s
// What is read across its rows has no masked vectors: squares, then ever smaller tiles.
// CHECK-LABEL: func.func @transposed
// CHECK: linalg.transpose ins(%{{.*}} : tensor<8x8xf32>)
// CHECK: linalg.transpose ins(%{{.*}} : tensor<4x8xf32>)
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x8xf32>)
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x8xf32>)
// CHECK-NOT: linalg.transpose
func.func @transposed(%x: tensor<?x16xf32>, %n: index) -> tensor<16x?xf32> {
  %empty = tensor.empty(%n) : tensor<16x?xf32>
  %0 = linalg.transpose ins(%x : tensor<?x16xf32>) outs(%empty : tensor<16x?xf32>) permutation = [1, 0]
  return %0 : tensor<16x?xf32>
}
