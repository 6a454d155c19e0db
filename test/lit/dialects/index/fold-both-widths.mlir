// RUN: mlc-opt --canonicalize %s | FileCheck %s
// A fold holds for an index of 32 and of 64 bits, or is not made.
// CHECK-LABEL: @agree(
// CHECK-DAG: %[[A:.*]] = index.constant 7000000000
// CHECK-DAG: %[[B:.*]] = index.constant -3
// CHECK: return %[[A]], %[[B]]
func.func @agree() -> (index, index) {
  %a = index.constant 3000000000
  %b = index.constant 4000000000
  %0 = index.add %a, %b
  %c = index.constant 7
  %d = index.constant -2
  %1 = index.divs %c, %d
  return %0, %1 : index, index
}

// CHECK-LABEL: @differ(
// CHECK: index.divu
// CHECK: index.shl
// CHECK: index.cmp slt
// CHECK: index.sizeof
func.func @differ() -> (index, index, i1, index) {
  %a = index.constant 4294967296
  %b = index.constant 2
  %0 = index.divu %a, %b
  %c = index.constant 33
  %1 = index.shl %b, %c
  %2 = index.cmp slt(%b, %a)
  %3 = index.sizeof
  return %0, %1, %2, %3 : index, index, i1, index
}

// CHECK-LABEL: @bounds(
// CHECK-DAG: %[[T:.*]] = index.bool.constant true
// CHECK-DAG: %[[F:.*]] = index.bool.constant false
// CHECK: %[[S:.*]] = index.cmp ne(%arg0, %arg1)
// CHECK: return %[[T]], %[[F]], %[[S]]
func.func @bounds(%x: index, %y: index) -> (i1, i1, i1) {
  %zero = index.constant 0
  %c5 = index.constant 5
  %c7 = index.constant 7
  %m = index.maxs %x, %c7
  %0 = index.cmp sgt(%m, %c5)
  %n = index.minu %x, %c5
  %1 = index.cmp uge(%n, %c7)
  %s = index.sub %x, %y
  %2 = index.cmp ne(%s, %zero)
  return %0, %1, %2 : i1, i1, i1
}
