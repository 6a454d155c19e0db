// RUN: mlc-opt %s --print-liveness --verify-diagnostics
// Around the loop of blocks %n and the sum stay alive.
func.func @blocks(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  // expected-remark@+1 {{0 live in, 2 live out, at most 2}}
  cf.br ^head(%n : i32)
^head(%i: i32):
  %next = arith.subi %i, %c1 : i32
  %again = arith.cmpi sgt, %next, %c1 : i32
  // expected-remark@+1 {{2 live in, 3 live out, at most 4}}
  cf.cond_br %again, ^head(%next : i32), ^end
^end:
  %0 = arith.addi %next, %n : i32
  // expected-remark@+1 {{2 live in, 0 live out, at most 2}}
  return %0 : i32
}
// Values used inside of regions are needed before; arguments of a region's block are its own.
func.func @regions(%n: index, %v: f32, %unused: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
    %0 = arith.addf %a, %v : f32
    // expected-remark@+1 {{1 live in, 1 live out, at most 2}}
    scf.yield %0 : f32
  }
  // expected-remark@+1 {{0 live in, 0 live out, at most 4}}
  return %r : f32
}
