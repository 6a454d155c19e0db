// RUN: mlc-opt %s --convert-parallel-loops-to-gpu --canonicalize | FileCheck %s
// RUN: mlc-opt %s --interpret --entry double --input iota --input zeros | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --convert-parallel-loops-to-gpu --interpret --entry double --input iota --input zeros --seed 3 | FileCheck %s --check-prefix=VALUES
// 3 x 50 iterations are two blocks of 128 threads; the last index runs fastest; threads beyond the end do nothing.
// CHECK-LABEL: func.func @grid
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 128 : index
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads({{.*}}) in (%{{.*}} = %[[THREADS]],
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[NUMBER:.*]], %c150
// CHECK: scf.if %[[INSIDE]]
// CHECK: %[[J:.*]] = arith.remui %[[NUMBER]], %c50
// CHECK: %[[I:.*]] = arith.divui %[[NUMBER]], %c50
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @grid(%out: memref<3x50xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c50 = arith.constant 50 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c50) step (%c1, %c1) {
    memref.store %x, %out[%i, %j] : memref<3x50xf32>
    scf.reduce
  }
  return
}
// VALUES: dense<{{\[\[}}0, 2, 4, 6], [8, 10, 12, 14]]> : tensor<2x4xi32>
func.func @double(%in: memref<2x4xi32>, %out: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c4) step (%c1, %c1) {
    %x = memref.load %in[%i, %j] : memref<2x4xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %out[%i, %j] : memref<2x4xi32>
    scf.reduce
  }
  return
}
