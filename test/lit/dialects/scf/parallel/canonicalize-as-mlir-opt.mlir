// RUN: mlc-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlc && mlir-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlir && diff %t.mlir %t.mlc
// REQUIRES: mlir-opt
// Dimensions of one iteration or none, and loops in loops.
func.func @par(%a: index, %b: index, %s: index, %x: f32, %m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r = scf.parallel (%i, %j) = (%c0, %a) to (%c1, %b) step (%c1, %s) init (%x) -> f32 {
    %v = "foo.a"(%i, %j) : (index, index) -> f32
    scf.reduce(%v : f32) { ^bb0(%l: f32, %rr: f32): %y = arith.addf %l, %rr : f32
      scf.reduce.return %y : f32 }
  }
  %q = scf.parallel (%i, %j) = (%c0, %c7) to (%c1, %c7) step (%c1, %s) init (%r) -> f32 {
    %v = "foo.a"(%i, %j) : (index, index) -> f32
    scf.reduce(%v : f32) { ^bb0(%l: f32, %rr: f32): %y = arith.addf %l, %rr : f32
      scf.reduce.return %y : f32 }
  }
  %w = scf.parallel (%i, %j) = (%c0, %c7) to (%c1, %c7) step (%c1, %s) init (%q) -> f32 {
    %v = "foo.a"(%i, %j) : (index, index) -> f32
    scf.reduce(%v : f32) { ^bb0(%l: f32, %rr: f32): %y = arith.addf %l, %rr : f32
      scf.reduce.return %y : f32 }
  }
  %o = scf.parallel (%i) = (%c0) to (%c1) step (%c7) init (%w) -> f32 {
    %v = "foo.b"(%i) : (index) -> f32
    scf.reduce(%v : f32) { ^bb0(%l: f32, %rr: f32): %y = arith.mulf %l, %rr : f32
      scf.reduce.return %y : f32 }
  }
  scf.parallel (%i) = (%a) to (%b) step (%s) {
    scf.parallel (%j) = (%b) to (%a) step (%s) {
      "foo.c"(%i, %j) : (index, index) -> ()
    }
  }
  return %o : f32
}
