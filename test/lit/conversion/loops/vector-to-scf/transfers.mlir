// RUN: mlc-opt %s --convert-vector-to-scf | FileCheck %s
// RUN: mlc-opt %s --convert-vector-to-scf=full-unroll | FileCheck %s --check-prefix=UNROLLED
// RUN: mlc-opt %s --interpret --entry all --input iota --input 1 --input 2 > %t.before
// RUN: mlc-opt %s --convert-vector-to-scf --interpret --entry all --input iota --input 1 --input 2 | diff %t.before -
// RUN: mlc-opt %s --convert-vector-to-scf=full-unroll --interpret --entry all --input iota --input 1 --input 2 | diff %t.before -
// RUN: mlc-opt %s --convert-vector-to-scf > %t
// RUN: mlc-opt %t --convert-vector-to-scf | diff %t -
// Transfers of several dimensions, along others than the last, masked or outside, become loops.
// CHECK-LABEL: @whole
// CHECK: %[[BUFFER:.*]] = memref.alloca() : memref<3x4xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %[[BUFFER]]
// CHECK: vector.load %[[BUFFER]]{{.*}} : memref<3x4xf32>, vector<3x4xf32>
// UNROLLED-LABEL: @whole
// UNROLLED-NOT: scf.for
// UNROLLED-COUNT-12: memref.load
func.func @whole(%m: memref<6x5xf32>, %i: index, %j: index) -> vector<3x4xf32> {
  %p = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, true]} : memref<6x5xf32>, vector<3x4xf32>
  return %0 : vector<3x4xf32>
}
// A transfer of neighbours is a load already.
// CHECK-LABEL: @neighbours
// CHECK: vector.transfer_read
func.func @neighbours(%m: memref<6x5xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%i, %j], %p : memref<6x5xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
// The buffer is not allocated again in each iteration.
// CHECK-LABEL: @in_a_loop
// CHECK: memref.alloca() : memref<4xf32>
// CHECK: scf.for
func.func @in_a_loop(%m: memref<6x5xf32>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    vector.transfer_write %v, %m[%c0, %i] {permutation_map = affine_map<(a, b) -> (a)>} : vector<4xf32>, memref<6x5xf32>
  }
  return
}
func.func @all(%m: memref<6x5xf32>, %i: index, %j: index) -> (vector<3x4xf32>, vector<4x3xf32>, vector<4xf32>, vector<2x4xf32>, vector<f32>, vector<3x4xf32>, vector<6x5xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%i, %j], %p : memref<6x5xf32>, vector<3x4xf32>
  %1 = vector.transfer_read %m[%c4, %j], %p {permutation_map = affine_map<(a, b) -> (b, a)>} : memref<6x5xf32>, vector<4x3xf32>
  %2 = vector.transfer_read %m[%c4, %j], %p {permutation_map = affine_map<(a, b) -> (a)>} : memref<6x5xf32>, vector<4xf32>
  %3 = vector.transfer_read %m[%c4, %j], %p {in_bounds = [true, false], permutation_map = affine_map<(a, b) -> (0, b)>} : memref<6x5xf32>, vector<2x4xf32>
  %4 = vector.transfer_read %m[%c4, %j], %p : memref<6x5xf32>, vector<f32>
  %k = vector.create_mask %j, %i : vector<3x4xi1>
  %5 = vector.transfer_read %m[%i, %i], %p, %k : memref<6x5xf32>, vector<3x4xf32>
  vector.transfer_write %0, %m[%c4, %i] : vector<3x4xf32>, memref<6x5xf32>
  vector.transfer_write %1, %m[%c0, %c0], %k {permutation_map = affine_map<(a, b) -> (b, a)>} : vector<4x3xf32>, memref<6x5xf32>
  %6 = vector.transfer_read %m[%c0, %c0], %p : memref<6x5xf32>, vector<6x5xf32>
  return %0, %1, %2, %3, %4, %5, %6 : vector<3x4xf32>, vector<4x3xf32>, vector<4xf32>, vector<2x4xf32>, vector<f32>, vector<3x4xf32>, vector<6x5xf32>
}
