// RUN: mlc-opt %s --int-range-optimizations | FileCheck %s
// RUN: mlc-opt %s --int-range-optimizations --int-range-optimizations | FileCheck %s
// Values of one number become constants of their op's dialect; branches on them are decided.

// CHECK-LABEL: func.func @compare
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: %[[F:.*]] = arith.constant false
// CHECK-NEXT: return %[[T]], %[[F]]
func.func @compare(%x: i8) -> (i1, i1) {
  %c7 = arith.constant 7 : i8
  %c8 = arith.constant 8 : i8
  %low = arith.andi %x, %c7 : i8
  %below = arith.cmpi ult, %low, %c8 : i8
  %equal = arith.cmpi eq, %low, %c8 : i8
  return %below, %equal : i1, i1
}

// The second shift would wrap, so it may be anything.
// CHECK-LABEL: func.func @shifts
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: %[[UNKNOWN:.*]] = arith.cmpi
// CHECK: return %[[T]], %[[UNKNOWN]]
func.func @shifts(%x: i8) -> (i1, i1) {
  %c1 = arith.constant 1 : i8
  %c31 = arith.constant 31 : i8
  %c-1 = arith.constant -1 : i8
  %low = arith.andi %x, %c31 : i8
  %two = arith.shli %low, %c1 : i8
  %positive = arith.cmpi sgt, %two, %c-1 : i8
  %eight = arith.shli %two, %c31 : i8
  %unknown = arith.cmpi sgt, %eight, %c-1 : i8
  return %positive, %unknown : i1, i1
}

// CHECK-LABEL: func.func @nested_loops
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: memref.store %[[T]]
// CHECK: memref.store %[[T]]
// CHECK: %[[UNKNOWN:.*]] = arith.cmpi
// CHECK: memref.store %[[UNKNOWN]]
func.func @nested_loops(%out: memref<?xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %inside = arith.cmpi slt, %i, %c8 : index
    memref.store %inside, %out[%i] : memref<?xi1>
    affine.for %j = 1 to %n {
      %positive = arith.cmpi sge, %j, %c1 : index
      memref.store %positive, %out[%j] : memref<?xi1>
      %unknown = arith.cmpi slt, %j, %c8 : index
      memref.store %unknown, %out[%j] : memref<?xi1>
    }
  }
  return
}

// Only the second branch is ever taken.
// CHECK-LABEL: func.func @through_branches
// CHECK: %[[C:.*]] = arith.constant 2 : i32
// CHECK: return %[[C]]
func.func @through_branches(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %odd = arith.ori %x, %c1 : i32
  %bit = arith.minui %odd, %c1 : i32
  %is_three = arith.cmpi eq, %bit, %c3 : i32
  %r = scf.if %is_three -> i32 {
    scf.yield %c3 : i32
  } else {
    scf.yield %c2 : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @vectors
// CHECK: %[[C:.*]] = arith.constant dense<true> : vector<4xi1>
// CHECK: return %[[C]]
func.func @vectors(%v: vector<4xi8>) -> vector<4xi1> {
  %low = arith.constant dense<[1, 2, 3, 7]> : vector<4xi8>
  %c8 = arith.constant dense<8> : vector<4xi8>
  %masked = arith.andi %v, %low : vector<4xi8>
  %below = arith.cmpi ult, %masked, %c8 : vector<4xi8>
  return %below : vector<4xi1>
}

// An index may have 32 bits: the sum may wrap there.
// CHECK-LABEL: func.func @index_width
// CHECK: %[[UNKNOWN:.*]] = index.cmp uge
// CHECK: return %[[UNKNOWN]]
func.func @index_width(%x: index) -> i1 {
  %one = index.constant 1
  %max = index.constant 0xffffffff
  %bounded = index.minu %x, %max
  %sum = index.add %bounded, %one
  %unknown = index.cmp uge(%sum, %one)
  return %unknown : i1
}
