// RUN: mlc-opt --load-dialect=%S/Inputs/regions.yaml --load-rules=%S/Inputs/regions.rules %s --canonicalize | FileCheck %s
// RUN: mlc-opt --load-dialect=%S/Inputs/regions.yaml --load-rules=%S/Inputs/regions.rules %s --explain-rules=ops=t.loop,t.made -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// Peepholes look into regions, put them in place, exchange and write them.
// CHECK-LABEL: @when(
// CHECK-NEXT: %[[SQUARE:.*]] = arith.muli %arg1, %arg1
// CHECK-NEXT: %[[WHEN:.*]] = "t.when"(%arg0) ({
// CHECK-NEXT: "t.yield"(%arg1)
// CHECK-NEXT: }, {
// CHECK-NEXT: "t.yield"(%[[SQUARE]])
// CHECK-NEXT: })
// CHECK-NEXT: return %[[SQUARE]], %[[WHEN]]
func.func @when(%c: i1, %x: i32) -> (i32, i32) {
  %true = arith.constant true
  %0 = "t.when"(%true) ({
    %1 = arith.muli %x, %x : i32
    "t.yield"(%1) : (i32) -> ()
  }, {
    "t.yield"(%x) : (i32) -> ()
  }) : (i1) -> i32
  %not = arith.xori %c, %true : i1
  %2 = "t.when"(%not) ({
    "t.yield"(%0) : (i32) -> ()
  }, {
    "t.yield"(%x) : (i32) -> ()
  }) : (i1) -> i32
  return %0, %2 : i32, i32
}

// CHECK-LABEL: @loop(
// CHECK-NEXT: %[[N:.*]] = arith.index_cast %arg2 : index to i32
// CHECK-NEXT: %[[MUL:.*]] = arith.muli %arg1, %[[N]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %[[MUL]]
// CHECK-NEXT: %[[THIRD:.*]] = "t.loop"(%arg2, %arg0, %arg2) ({
// CHECK-NEXT: ^bb0(%[[Z:.*]]: index, %[[A:.*]]: i32):
// CHECK-NEXT: %[[TWICE:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: "t.yield"(%[[TWICE]])
// CHECK: %[[FOURTH:.*]] = "t.loop"(%arg2, %arg0, %arg2)
// CHECK: return %arg0, %[[SUM]], %[[THIRD]], %[[FOURTH]]
func.func @loop(%x: i32, %y: i32, %n: index) -> (i32, i32, i32, i32) {
  %0 = "t.loop"(%x, %n) ({
  ^bb0(%a: i32):
    "t.yield"(%a) : (i32) -> ()
  }) : (i32, index) -> i32
  %1 = "t.loop"(%x, %n) ({
  ^bb0(%a: i32):
    %5 = arith.addi %y, %a : i32
    "t.yield"(%5) : (i32) -> ()
  }) : (i32, index) -> i32
  %2 = "t.loop"(%x, %n) ({
  ^bb0(%a: i32):
    %5 = arith.addi %a, %a : i32
    "t.yield"(%5) : (i32) -> ()
  }) : (i32, index) -> i32
  %3 = "t.loop"(%x, %n) ({
  ^bb0(%a: i32):
    %5 = arith.divsi %a, %y : i32
    %6 = arith.addi %a, %y : i32
    "t.yield"(%6) : (i32) -> ()
  }) : (i32, index) -> i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-LABEL: @more(
// CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %arg0, %arg1
// CHECK-NEXT: %[[WHEN:.*]]:2 = "t.when"(%[[SAME]]) ({
// CHECK-NEXT: "t.yield"(%arg0, %arg1)
// CHECK-NEXT: }, {
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg1
// CHECK-NEXT: "t.yield"(%arg0, %[[SUM]])
// CHECK: return %[[FIVE]], %[[WHEN]]#0, %[[WHEN]]#1
func.func @more(%x: i32, %y: i32) -> (i32, i32, i32) {
  %0 = "t.made"() ({
    %c = arith.constant 5 : i32
    "t.yield"(%c) : (i32) -> ()
  }) : () -> i32
  %one = arith.constant 1 : index
  %1:2 = "t.loop"(%x, %y, %one) ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.divsi %a, %b : i32
    "t.yield"(%a, %c) : (i32, i32) -> ()
  }) : (i32, i32, index) -> (i32, i32)
  return %0, %1#0, %1#1 : i32, i32, i32
}

// A region that would not verify is not written.
// CHECK-LABEL: @not_valid(
// CHECK: arith.maxsi
func.func @not_valid(%x: i32) -> i32 {
  %c = arith.constant 77 : i32
  %0 = arith.maxsi %x, %c : i32
  return %0 : i32
}

// WHY: 'same_sum': operand 0 of the last op in region 0 of the op is not made by 'arith.addi'; {{.*}}'around': the op has not 3 operands; 'argument': it matches
// WHY: 'no_change': operand 0 of the last op in region 0 of the op is not argument 0 of region 0 of the op; {{.*}}'same_sum': it matches;
// WHY: 'same_sum': operand 1 of operand 0 of the last op in region 0 of the op is made in the region
// WHY: 'same_sum': region 0 of the op has other ops, too
// WHY: 'constant': it matches
