// RUN: mlc-opt --load-dialect=%S/Inputs/rounds.yaml %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: mlc-opt --load-dialect=%S/Inputs/rounds.yaml %s --sccp | FileCheck %s --check-prefix=SCCP
// RUN: mlc-opt --load-dialect=%S/Inputs/rounds.yaml %s --scf-for-loop-canonicalization | FileCheck %s --check-prefix=BOUNDS
// Passes know a loop by its record, whatever dialect it is of.

// LICM-LABEL: func.func @invariant
// LICM: arith.muli
// LICM: "rounds.count"
// LICM-NOT: arith.muli
// LICM: arith.addi
func.func @invariant(%a: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = "rounds.count"(%c0, %n, %c1, %z) ({
  ^bb0(%i: index, %before: i32):
    %sq = arith.muli %a, %a : i32
    %after = arith.addi %before, %sq : i32
    "rounds.next"(%after) : (i32) -> ()
  }) : (index, index, index, i32) -> i32
  return %r : i32
}

// What every round hands on is what the first one got.
// SCCP-LABEL: func.func @handed_on
// SCCP: %[[C:.*]] = arith.constant 7 : i32
// SCCP: return %[[C]] : i32
func.func @handed_on(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %r = "rounds.count"(%c0, %n, %c1, %c7) ({
  ^bb0(%i: index, %x: i32):
    "rounds.next"(%x) : (i32) -> ()
  }) : (index, index, index, i32) -> i32
  return %r : i32
}

// A loop that says itself that it has no iteration hands on what it was given.
// SCCP-LABEL: func.func @never
// SCCP: %[[C:.*]] = arith.constant 7 : i32
// SCCP: return %[[C]] : i32
// SCCP-LABEL: func.func @once
// SCCP: %[[C:.*]] = arith.constant 8 : i32
// SCCP: return %[[C]] : i32
// SCCP-LABEL: func.func @often
// SCCP: %[[R:.*]] = "rounds.count_by"
// SCCP: return %[[R]] : i32
func.func @never() -> i32 {
  %c7 = arith.constant 7 : i32
  %r = "rounds.count_by"(%c7) <{first = affine_map<() -> (4)>, end = affine_map<() -> (4)>, by = 1 : index}> ({
  ^bb0(%i: index, %x: i32):
    %next = arith.constant 8 : i32
    "rounds.next"(%next) : (i32) -> ()
  }) : (i32) -> i32
  return %r : i32
}
func.func @once() -> i32 {
  %c7 = arith.constant 7 : i32
  %r = "rounds.count_by"(%c7) <{first = affine_map<() -> (3)>, end = affine_map<() -> (4)>, by = 1 : index}> ({
  ^bb0(%i: index, %x: i32):
    %c1 = arith.constant 1 : i32
    %next = arith.addi %x, %c1 : i32
    "rounds.next"(%next) : (i32) -> ()
  }) : (i32) -> i32
  return %r : i32
}
func.func @often() -> i32 {
  %c7 = arith.constant 7 : i32
  %r = "rounds.count_by"(%c7) <{first = affine_map<() -> (2)>, end = affine_map<() -> (4)>, by = 1 : index}> ({
  ^bb0(%i: index, %x: i32):
    %c1 = arith.constant 1 : i32
    %next = arith.addi %x, %c1 : i32
    "rounds.next"(%next) : (i32) -> ()
  }) : (i32) -> i32
  return %r : i32
}

// A whole loop moves out of another one if it surely ends.
// LICM-LABEL: func.func @ends
// LICM: "rounds.count"
// LICM: scf.for
// LICM-NOT: "rounds.count"
// LICM: "rounds.count"
// LICM: scf.yield
func.func @ends(%n: index, %step: index, %z: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> (i32) {
    %a = "rounds.count"(%c0, %n, %c1, %z) ({
    ^bb0(%j: index, %x: i32):
      %next = arith.addi %x, %x : i32
      "rounds.next"(%next) : (i32) -> ()
    }) : (index, index, index, i32) -> i32
    %b = "rounds.count"(%c0, %n, %step, %z) ({
    ^bb0(%j: index, %x: i32):
      %next = arith.addi %x, %x : i32
      "rounds.next"(%next) : (i32) -> ()
    }) : (index, index, index, i32) -> i32
    %ab = arith.addi %a, %b : i32
    %after = arith.addi %sum, %ab : i32
    scf.yield %after : i32
  }
  return %r : i32
}

// Constant bounds are known: of several results of a map the largest, or the smallest.
// BOUNDS-LABEL: func.func @bounds
// BOUNDS-DAG: %[[C9:.*]] = arith.constant 9 : index
// BOUNDS-NOT: affine.min affine_map<(d0) -> (9
// BOUNDS: memref.store %[[C9]]
// BOUNDS: affine.min
func.func @bounds(%m: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "rounds.count_by"() <{first = affine_map<() -> (1, 2)>, end = affine_map<() -> (8, 9)>, by = 1 : index}> ({
  ^bb0(%j: index):
    %least = affine.min affine_map<(d0) -> (9, d0 + 7)>(%j)
    memref.store %least, %m[%c0] : memref<2xindex>
    %any = affine.min affine_map<(d0) -> (9, d0 + 6)>(%j)
    memref.store %any, %m[%c1] : memref<2xindex>
    "rounds.next"() : () -> ()
  }) : () -> ()
  return
}

// LICM-LABEL: func.func @grid
// LICM: arith.muli
// LICM: "rounds.grid"
func.func @grid(%a: index, %m: memref<8x8xindex>) {
  "rounds.grid"(%a) <{static_first = array<i64: 0, 0>, static_end = array<i64: 8, -9223372036854775808>, by = array<i64: 1, 2>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%i: index, %j: index):
    %sq = arith.muli %a, %a : index
    memref.store %sq, %m[%i, %j] : memref<8x8xindex>
    "rounds.next"() : () -> ()
  }) : (index) -> ()
  return
}
