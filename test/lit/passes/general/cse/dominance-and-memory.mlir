// RUN: mlc-opt %s --cse | FileCheck %s
// What dominates is shared, operands of commutative ops in any order; siblings are not shared.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[S:.*]] = arith.addi %[[A:.*]], %[[B:.*]] : i32
// CHECK-NOT: arith.addi %[[B]], %[[A]]
// CHECK: ^bb1:
// CHECK: arith.muli %[[S]], %[[S]]
// CHECK: ^bb2:
// CHECK: arith.muli %[[S]], %[[S]]
func.func @blocks(%c: i1, %a: i32, %b: i32) -> i32 {
  %s = arith.addi %a, %b : i32
  cf.cond_br %c, ^left, ^right
^left:
  %t = arith.addi %b, %a : i32
  %l = arith.muli %s, %t : i32
  return %l : i32
^right:
  %r = arith.muli %s, %s : i32
  return %r : i32
}

// A load is shared with an earlier one unless something between may write.
// CHECK-LABEL: func.func @loads
// CHECK-COUNT-2: memref.load
// CHECK-NOT: memref.load
func.func @loads(%m: memref<4xf32>, %i: index) -> (f32, f32, f32) {
  %x = memref.load %m[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  memref.store %y, %m[%i] : memref<4xf32>
  %z = memref.load %m[%i] : memref<4xf32>
  return %x, %y, %z : f32, f32, f32
}
