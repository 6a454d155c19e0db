// RUN: mlc-opt %s --tile --canonicalize --cse --target=x86-64-v3 | FileCheck %s
// Rows of a number that is not known: tiles of 6, and what is left by one tile or two even ones, each
// number of rows in a loop of its own. Every tile has a static shape. Where one to four rows are left,
// the last tile of 6 is not made, and its rows are left too: two even tiles do both.
// CHECK-DAG: #[[MOD:.*]] = affine_map<()[s0] -> (s0 mod 6)>
// CHECK-DAG: #[[HALF:.*]] = affine_map<()[s0] -> (s0 ceildiv 2)>
// CHECK-DAG: #[[MAIN:.*]] = affine_map<()[s0, s1] -> (s0 - s1)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: %[[LEFT:.*]] = affine.apply #[[MOD]]()[%[[N]]]
// CHECK-DAG: arith.cmpi sle, %[[LEFT]], %c4
// CHECK-DAG: arith.cmpi sgt, %[[LEFT]], %c0
// CHECK-DAG: arith.cmpi sgt, %[[N]], %c6
// CHECK: %[[TILE:.*]] = arith.select %{{.*}}, %c6, %c0
// CHECK: %[[REST:.*]] = arith.addi %[[LEFT]], %[[TILE]]
// CHECK: %[[EVEN:.*]] = affine.apply #[[HALF]]()[%[[REST]]]
// CHECK: %[[ONE:.*]] = arith.cmpi sle, %[[REST]], %c5
// CHECK: %[[FIRST:.*]] = arith.select %[[ONE]], %[[REST]], %[[EVEN]]
// CHECK: %[[SECOND:.*]] = arith.subi %[[REST]], %[[FIRST]]
// CHECK: %[[MAIN_END:.*]] = affine.apply #[[MAIN]]()[%[[N]], %[[REST]]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[MAIN_END]]
// CHECK: linalg.matmul {{.*}} -> tensor<6x16xf32>
// CHECK: scf.for %{{.*}} = %[[MAIN_END]] to %[[FIVE_END:[a-z0-9_]+]]
// CHECK: linalg.matmul {{.*}} -> tensor<5x16xf32>
// CHECK: mlc.at_most = 2
// CHECK: scf.for %{{.*}} = %[[FIVE_END]] to
// CHECK: linalg.matmul {{.*}} -> tensor<4x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<3x16xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<2x16xf32>
// CHECK: scf.for %{{.*}} to %[[N]] step
// CHECK: linalg.matmul {{.*}} -> tensor<1x16xf32>
// CHECK: mlc.at_most = 1
// CHECK-NOT: linalg.matmul
func.func @rows(%x: tensor<?x256xf32>, %w: tensor<256x16xf32>, %n: index) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x16xf32>) outs(%init : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}
