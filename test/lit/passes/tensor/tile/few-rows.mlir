// RUN: mlc-opt %s --tile --canonicalize --cse --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --tile --canonicalize --cse --target=x86-64-v4 | FileCheck %s --check-prefix=WIDE
// One row of a panel of two vectors has two sums, which wait for each other. So one row alone takes
// several panels side by side, evenly, and two take two. Behind full tiles no rest is so small.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[N]], %c1
// CHECK: %[[ONCE:.*]] = arith.index_castui %[[ONE]]
// CHECK: scf.for %{{.*}} = %c0 to %[[ONCE]] step %c1
// CHECK: scf.for %[[C:.*]] = %c0 to %c96 step %c48
// CHECK: tensor.extract_slice %{{.*}}[0, %[[C]]] [256, 48]
// CHECK: linalg.matmul {{.*}} -> tensor<1x48xf32>
// CHECK: } {mlc.at_most = 1 : i64}
// CHECK: arith.cmpi eq, %[[N]], %c2
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c32
// CHECK: linalg.matmul {{.*}} -> tensor<2x32xf32>
// CHECK: } {mlc.at_most = 1 : i64}
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %[[N]], %c2
// CHECK: %[[USUAL:.*]] = arith.index_castui %[[MORE]]
// CHECK: scf.for %{{.*}} = %c0 to %[[USUAL]] step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c16
// CHECK: linalg.matmul {{.*}} -> tensor<6x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<5x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<4x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<3x16xf32>
// CHECK-NOT: linalg.matmul

// Longer vectors: two panels of three are all channels, for one row and for two.
// WIDE-LABEL: func.func @rows(
// WIDE: linalg.matmul {{.*}} -> tensor<1x96xf32>
// WIDE: linalg.matmul {{.*}} -> tensor<2x96xf32>
// WIDE: arith.cmpi sgt, %{{.*}}, %c2
// WIDE: linalg.matmul {{.*}} -> tensor<9x48xf32>
// WIDE-NOT: linalg.matmul {{.*}} -> tensor<2x48xf32>
// WIDE-LABEL: func.func @open_columns(
func.func @rows(%x: tensor<?x256xf32>, %w: tensor<256x96xf32>, %n: index) -> tensor<?x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x96xf32>) -> tensor<?x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x96xf32>) outs(%init : tensor<?x96xf32>) -> tensor<?x96xf32>
  return %0 : tensor<?x96xf32>
}

// Columns of an open number, and more than one loop of rows, are cut as ever.
// CHECK-LABEL: func.func @open_columns(
// CHECK-NOT: arith.cmpi eq
// CHECK: linalg.matmul {{.*}} -> tensor<1x16xf32>
func.func @open_columns(%x: tensor<?x256xf32>, %w: tensor<256x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x?xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @batches(
// CHECK-NOT: arith.cmpi eq
// CHECK: linalg.batch_matmul {{.*}} -> tensor<1x1x16xf32>
func.func @batches(%x: tensor<4x?x256xf32>, %w: tensor<4x256x96xf32>, %init: tensor<4x?x96xf32>) -> tensor<4x?x96xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<4x?x256xf32>, tensor<4x256x96xf32>) outs(%init : tensor<4x?x96xf32>) -> tensor<4x?x96xf32>
  return %0 : tensor<4x?x96xf32>
}
