// RUN: mlc-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlc && mlir-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlir && diff %t.mlir %t.mlc
// REQUIRES: mlir-opt
// Values passed round for nothing, twice, or in another order; what is known once the condition held.
func.func @w1(%a: i32, %b: f32, %n: i32) -> (i32, f32, i1, i32, f32) {
  %r:5 = scf.while (%x = %a, %y = %b, %u = %a, %i = %n) : (i32, f32, i32, i32) -> (i32, f32, i1, i32, f32) {
    %c = "foo.c"(%x, %i, %y) : (i32, i32, f32) -> i1
    scf.condition(%c) %x, %y, %c, %x, %b : i32, f32, i1, i32, f32
  } do {
  ^bb0(%p: i32, %q: f32, %cc: i1, %pp: i32, %bb: f32):
    "foo.use"(%cc, %bb) : (i1, f32) -> ()
    %z = arith.addi %p, %pp : i32
    scf.yield %z, %q, %z, %n : i32, f32, i32, i32
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : i32, f32, i1, i32, f32
}
func.func @w2(%a: i32, %n: i32) -> i32 {
  %r:2 = scf.while (%x = %a) : (i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %n : i32
    scf.condition(%c) %x, %n : i32, i32
  } do {
  ^bb0(%p: i32, %q: i32):
    %c1 = arith.cmpi slt, %p, %n : i32
    %c2 = arith.cmpi sge, %p, %n : i32
    %c3 = arith.cmpi ult, %p, %n : i32
    "foo.use"(%c1, %c2, %c3, %q) : (i1, i1, i1, i32) -> ()
    %z = "foo.a"(%p) : (i32) -> i32
    scf.yield %z : i32
  }
  return %r#0 : i32
}
func.func @w3(%a: i32, %b: f32) -> (f32, i32) {
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, f32) -> (f32, i32) {
    %c = "foo.c"(%x, %y) : (i32, f32) -> i1
    scf.condition(%c) %y, %x : f32, i32
  } do {
  ^bb0(%p: f32, %q: i32):
    %z:2 = "foo.a"(%p, %q) : (f32, i32) -> (i32, f32)
    scf.yield %z#0, %z#1 : i32, f32
  } attributes {foo}
  return %r#0, %r#1 : f32, i32
}
