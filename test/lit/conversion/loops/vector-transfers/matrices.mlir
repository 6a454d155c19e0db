// RUN: mlc-opt %s --lower-vector-transfers | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --lower-vector-transfers --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// A matrix along the last two dimensions, all of it inside, is one load or store.
// CHECK: %[[M:.*]] = vector.load %arg0[%c1, %c2, %c0] : memref<2x4x8xi8>, vector<2x8xi8>
// CHECK: vector.store %[[M]], %{{.*}}[%c0, %c0] : memref<2x8xi8>, vector<2x8xi8>
func.func @f(%m: memref<2x4x8xi8>) -> memref<2x8xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i8
  %0 = vector.transfer_read %m[%c1, %c2, %c0], %zero {in_bounds = [true, true]} : memref<2x4x8xi8>, vector<2x8xi8>
  %1 = memref.alloc() : memref<2x8xi8>
  vector.transfer_write %0, %1[%c0, %c0] {in_bounds = [true, true]} : vector<2x8xi8>, memref<2x8xi8>
  return %1 : memref<2x8xi8>
}
