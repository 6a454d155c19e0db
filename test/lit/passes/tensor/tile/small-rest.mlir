// RUN: mlc-opt %s --tile --target=x86-64-v3 | FileCheck %s
// Tiles of 6 rows leave 2 of 32, whose 4 accumulators would take as long as 8: they share the rows of
// the tile before, 4 and 4. A rest of 4 rows stays as it is.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[MAIN:.*]] = arith.constant 24 : index
// CHECK: %[[SIX:.*]] = arith.constant 6 : index
// CHECK: scf.for %{{.*}} to %[[MAIN]] step %[[SIX]]
// CHECK: linalg.matmul {{.*}} -> tensor<6x16xf32>
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.for %{{.*}} to %{{.*}} step %[[FOUR]]
// CHECK: linalg.matmul {{.*}} -> tensor<4x16xf32>
func.func @shared(%x: tensor<32x256xf32>, %w: tensor<256x16xf32>, %init: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<32x256xf32>, tensor<256x16xf32>) outs(%init : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
// CHECK-LABEL: func.func @left(
// CHECK: linalg.matmul {{.*}} -> tensor<6x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<4x16xf32>
func.func @left(%x: tensor<22x256xf32>, %w: tensor<256x16xf32>, %init: tensor<22x16xf32>) -> tensor<22x16xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<22x256xf32>, tensor<256x16xf32>) outs(%init : tensor<22x16xf32>) -> tensor<22x16xf32>
  return %0 : tensor<22x16xf32>
}
