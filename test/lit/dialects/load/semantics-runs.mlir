// REQUIRES: target
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --interpret --entry main | FileCheck %s --check-prefix=RUNS
// RUN: mlc run -e main --load=%S/Inputs/flow.yaml %s | FileCheck %s --check-prefix=RUNS
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --lower-semantics | FileCheck %s --implicit-check-not=flow.
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml -o %t.mlir && mlc-opt %t.mlir --load-dialect=%S/Inputs/flow.yaml | diff %t.mlir -
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --emit-bytecode -o %t.mlirbc && mlc-opt %t.mlirbc --load-dialect=%S/Inputs/flow.yaml | diff %t.mlir -
// Loops, conditions and calls run as they are, and become scf and func without a rule.
// RUNS: 11 : i32
// RUNS: 7 : i32
// RUNS: -24 : i32
// RUNS: 7.5{{0*}}e+00 : f32

// CHECK: func.func @step(%{{.*}}: i32, %{{.*}}: i1) -> i32
// CHECK: scf.if
// CHECK: return
// CHECK: func.func @main() -> (i32, i32, i32, f32)
// CHECK: scf.for %{{.*}} = %{{.*}} to %c5 step %{{.*}} iter_args
// CHECK: call @step
flow.def @step(%x: i32, %c: i1) -> i32 {
  %r = flow.if %c of i1 {
    %two = arith.constant 2 : i32
    %d = arith.muli %x, %two : i32
    flow.give %d : i32
  } else {
    %one = arith.constant 1 : i32
    %s = arith.addi %x, %one : i32
    flow.give %s : i32
  }
  flow.give %r : i32
}
func.func @main() -> (i32, i32, i32, f32) {
  %n = arith.constant 5 : index
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  %two32 = arith.constant 2 : i32
  %x = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %a:2 = flow.repeat %n with %x, %false : i32, i1 -> i32, i1 of index {
  ^bb0(%v: i32, %c: i1):
    %w = flow.call @step(%v, %c) : (i32, i1) -> i32
    %d = arith.xori %c, %true : i1
    flow.give %w, %d : i32, i1
  }
  %b = "flow.for"(%zero, %n, %two, %x) ({
  ^bb0(%i: index, %v: i32):
    %j = arith.index_cast %i : index to i32
    %w = arith.addi %v, %j : i32
    flow.give %w : i32
  }) : (index, index, index, i32) -> i32
  %t = arith.constant dense<[5, -7, 11, -32]> : tensor<4xi32>
  %s = flow.each %t : tensor<4xi32> with %x : i32 do {
  ^bb0(%y: i32, %v: i32):
    %w = arith.addi %v, %y : i32
    flow.give %w : i32
  }
  %s2 = arith.subi %s, %two32 : i32
  %m = memref.alloc(%two) : memref<?xf32>
  %f = arith.constant 2.5 : f32
  %f1 = arith.constant 5.0 : f32
  memref.store %f, %m[%zero] : memref<?xf32>
  memref.store %f1, %m[%one] : memref<?xf32>
  %f0 = arith.constant 0.0 : f32
  %u = flow.each %m : memref<?xf32> with %f0 : f32 do {
  ^bb0(%y: f32, %v: f32):
    %w = arith.addf %v, %y : f32
    flow.give %w : f32
  }
  memref.dealloc %m : memref<?xf32>
  func.return %a#0, %b, %s2, %u : i32, i32, i32, f32
}
