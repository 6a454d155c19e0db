// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-nesting=4 --split-input-file 2>&1 | FileCheck %s
// RUN: mlc-opt %s --allow-unregistered-dialect --split-input-file | FileCheck --check-prefix=DEFAULT %s
// Aliases of aliases nest with each line; whoever prints or walks values recurses.
// DEFAULT-COUNT-6: test.op
// CHECK: error: nested deeper than the limit of 4 (--limit-nesting)
// CHECK-NEXT: #a5 = [#a4]
#a1 = [1]
#a2 = [#a1]
#a3 = [#a2]
#a4 = [#a3]
#a5 = [#a4]
#a6 = [#a5]
"test.op"() {a = #a6} : () -> ()

// -----

// CHECK: error: nested deeper than the limit of 4 (--limit-nesting)
// CHECK-NEXT: !t6 = tuple<!t5>
!t1 = tuple<i32>
!t2 = tuple<!t1>
!t3 = tuple<!t2>
!t4 = tuple<!t3>
!t5 = tuple<!t4>
!t6 = tuple<!t5>
"test.op"() : () -> !t6

// -----

// CHECK: error: nested deeper than the limit of 4 (--limit-nesting)
!t1 = !llvm.struct<(i32)>
!t2 = !llvm.struct<(!t1)>
!t3 = !llvm.struct<(!t2)>
!t4 = !llvm.struct<(!t3)>
!t5 = !llvm.struct<(!t4)>
!t6 = !llvm.struct<(!t5)>
"test.op"() : () -> !t6

// -----

// CHECK: error: nested deeper than the limit of 4 (--limit-nesting)
!t1 = tensor<2xi32>
!t2 = tensor<2xi32, !t1>
!t3 = tensor<2xi32, !t2>
!t4 = tensor<2xi32, !t3>
!t5 = tensor<2xi32, !t4>
"test.op"() : () -> !t5

// -----

// Locations of call chains are no fault: what is too deep is cut to its place.
#l0 = loc("a":1:1)
#l1 = loc(callsite(#l0 at "b":2:2))
#l2 = loc(callsite(#l1 at "c":3:3))
#l3 = loc(callsite(#l2 at "d":4:4))
#l4 = loc(callsite(#l3 at "e":5:5))
#l5 = loc(callsite(#l4 at "f":6:6))
#l6 = loc(callsite(#l5 at "g":7:7))
"test.op"() : () -> () loc(#l6)

// -----

// CHECK: error: nested deeper than the limit of 4 (--limit-nesting)
"test.op"() {a = !llvm.struct<(struct<(struct<(i32)>)>)>} : () -> ()
