// RUN: mlc-opt %s --tile --canonicalize --cse --target=x86-64-v3 | FileCheck %s
// Rows of a number that is not known: tiles of 6, and what is left by one tile of each smaller size,
// in loops that run once or not at all. Every tile has a static shape.
// CHECK-DAG: #[[MAIN:.*]] = affine_map<()[s0] -> ((s0 floordiv 6) * 6)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: %[[MAIN_END:.*]] = affine.apply #[[MAIN]]()[%[[N]]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[MAIN_END]]
// CHECK: linalg.matmul {{.*}} -> tensor<6x16xf32>
// CHECK: scf.for %{{.*}} = %[[MAIN_END]] to %[[FIVE_END:[a-z0-9_]+]]
// CHECK: linalg.matmul {{.*}} -> tensor<5x16xf32>
// CHECK: scf.for %{{.*}} = %[[FIVE_END]] to
// CHECK: linalg.matmul {{.*}} -> tensor<4x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<3x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<2x16xf32>
// CHECK: scf.for %{{.*}} to %[[N]] step
// CHECK: linalg.matmul {{.*}} -> tensor<1x16xf32>
// CHECK-NOT: linalg.matmul
func.func @rows(%x: tensor<?x256xf32>, %w: tensor<256x16xf32>, %n: index) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x16xf32>) outs(%init : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}
