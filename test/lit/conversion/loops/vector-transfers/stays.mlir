// RUN: mlc-opt %s --lower-vector-transfers --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// A column is no row of memory, and several dimensions that may lie outside are unrolled before.
// CHECK: vector.transfer_read
// CHECK: vector.transfer_read
// LOG-DAG: on 'vector.transfer_read': not along the buffer's last dimension with stride one
// LOG-DAG: on 'vector.transfer_read': not between a one-dimensional vector and a memref
func.func @f(%m: memref<8x8xf32>, %i: index) -> (vector<4xf32>, vector<2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %zero {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %i], %zero {in_bounds = [false, true]} : memref<8x8xf32>, vector<2x4xf32>
  return %0, %1 : vector<4xf32>, vector<2x4xf32>
}
