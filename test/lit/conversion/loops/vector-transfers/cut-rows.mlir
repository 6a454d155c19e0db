// RUN: mlc-opt %s --lower-vector-transfers | FileCheck %s
// RUN: mlc-opt %s --lower-vector-transfers --interpret --entry main | FileCheck %s --check-prefix=VALUES
// A matrix whose rows may be cut goes row by row, each with a mask; rows that may be missing stay for others.
// CHECK-LABEL: func.func @write
// CHECK: vector.extract {{.*}}[0] : vector<4xi32> from vector<2x4xi32>
// CHECK: vector.maskedstore
// CHECK: vector.maskedstore
// CHECK-NOT: vector.transfer_write
func.func @write(%v: vector<2x4xi32>, %m: memref<3x5xi32>, %i: index) {
  vector.transfer_write %v, %m[%i, %i] {in_bounds = [true, false]} : vector<2x4xi32>, memref<3x5xi32>
  return
}

// CHECK-LABEL: func.func @read
// CHECK: vector.maskedload
// CHECK: vector.maskedload
// CHECK-NOT: vector.transfer_read
func.func @read(%m: memref<3x5xi32>, %i: index) -> vector<2x4xi32> {
  %pad = arith.constant 9 : i32
  %v = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true, false]} : memref<3x5xi32>, vector<2x4xi32>
  return %v : vector<2x4xi32>
}

// CHECK-LABEL: func.func @missing
// CHECK: vector.transfer_read
func.func @missing(%m: memref<3x5xi32>, %i: index) -> vector<2x4xi32> {
  %pad = arith.constant 9 : i32
  %v = vector.transfer_read %m[%i, %i], %pad {in_bounds = [false, false]} : memref<3x5xi32>, vector<2x4xi32>
  return %v : vector<2x4xi32>
}

// VALUES: {{\[\[}}1, 2, 3, 9], [5, 6, 7, 9]]
func.func @main() -> vector<2x4xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<3x5xi32>
  %v = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : vector<2x4xi32>
  %pad = arith.constant 9 : i32
  vector.transfer_write %v, %m[%c1, %c2] {in_bounds = [true, false]} : vector<2x4xi32>, memref<3x5xi32>
  %r = vector.transfer_read %m[%c1, %c2], %pad {in_bounds = [true, false]} : memref<3x5xi32>, vector<2x4xi32>
  return %r : vector<2x4xi32>
}
