// RUN: mlc-opt %s --lower-vector-transfers | FileCheck %s
// In bounds: a plain load. May be outside: a mask of what is left. One element for all lanes: a scalar load.
// CHECK-LABEL: func.func @tail
// CHECK: vector.load
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[I:.*]] : index
// CHECK: %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// CHECK: vector.maskedstore %{{.*}}[%[[I]]], %[[MASK]], %{{.*}}
// CHECK: memref.load
// CHECK: vector.broadcast
// CHECK-NOT: transfer
func.func @tail(%m: memref<20xf32>, %o: memref<20xf32>, %i: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<20xf32>, vector<8xf32>
  vector.transfer_write %v, %o[%i] : vector<8xf32>, memref<20xf32>
  %b = vector.transfer_read %m[%i], %pad {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : memref<20xf32>, vector<8xf32>
  return %b : vector<8xf32>
}
