// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --inline | FileCheck %s --check-prefix=INLINE
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --sccp | FileCheck %s --check-prefix=SCCP
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --symbol-dce | FileCheck %s --check-prefix=DCE
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --cse | FileCheck %s --check-prefix=CSE
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --int-range-optimizations | FileCheck %s --check-prefix=RANGE
// Passes know what ops are that say what they mean.

// LICM-LABEL: func.func @hoist
// LICM-NEXT: arith.muli
// LICM-NEXT: flow.repeat
func.func @hoist(%n: index, %x: i32) -> i32 {
  %r = flow.repeat %n with %x : i32 -> i32 of index {
  ^bb0(%v: i32):
    %s = arith.muli %x, %x : i32
    %w = arith.addi %v, %s : i32
    flow.give %w : i32
  }
  return %r : i32
}

// LICM-LABEL: func.func @hoist_from_each
// LICM-NEXT: arith.muli
// LICM-NEXT: flow.each
func.func @hoist_from_each(%t: tensor<?xi32>, %x: i32) -> i32 {
  %r = flow.each %t : tensor<?xi32> with %x : i32 do {
  ^bb0(%e: i32, %v: i32):
    %s = arith.muli %x, %x : i32
    %w = arith.addi %v, %s : i32
    flow.give %w : i32
  }
  return %r : i32
}

// INLINE-LABEL: func.func @calls
// INLINE-NEXT: arith.muli %arg0, %arg0
// INLINE-NEXT: return
func.func @calls(%x: i32) -> i32 {
  %r = flow.call @square(%x) : (i32) -> i32
  return %r : i32
}
// DCE: flow.def private @square
// DCE-NOT: flow.def
flow.def private @square(%x: i32) -> i32 {
  %r = arith.muli %x, %x : i32
  flow.give %r : i32
}
flow.def private @unused(%x: i32) -> i32 {
  flow.give %x : i32
}

// SCCP-LABEL: func.func @constants
// SCCP: %[[C:.*]] = arith.constant 7 : i32
// SCCP: return %[[C]], %{{.*}}
func.func @constants(%n: index, %x: i32) -> (i32, i32) {
  %true = arith.constant true
  %seven = arith.constant 7 : i32
  %r = flow.if %true of i1 {
    flow.give %seven : i32
  } else {
    flow.give %x : i32
  }
  %s = flow.repeat %n with %seven : i32 -> i32 of index {
  ^bb0(%v: i32):
    %zero = arith.constant 0 : i32
    %w = arith.addi %v, %zero : i32
    flow.give %w : i32
  }
  return %r, %s : i32, i32
}

// A loop whose region does nothing goes where nobody uses it.
// CSE-LABEL: func.func @unused_loop
// CSE-NEXT: return
func.func @unused_loop(%n: index, %x: i32) {
  %r = flow.repeat %n with %x : i32 -> i32 of index {
  ^bb0(%v: i32):
    flow.give %v : i32
  }
  return
}

// RANGE-LABEL: func.func @range
// RANGE: %[[TRUE:.*]] = arith.constant true
// RANGE: flow.give %[[TRUE]]
func.func @range(%b: i1) -> i1 {
  %zero = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : index
  %r = "flow.for"(%zero, %ten, %one, %b) ({
  ^bb0(%i: index, %v: i1):
    %c = arith.cmpi slt, %i, %ten : index
    flow.give %c : i1
  }) : (index, index, index, i1) -> i1
  return %r : i1
}
