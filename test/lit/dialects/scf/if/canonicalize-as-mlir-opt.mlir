// RUN: mlc-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlc && mlir-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlir && diff %t.mlir %t.mlc
// REQUIRES: mlir-opt
// Conditions in conditions.
func.func @nested(%c: i1, %d: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32, i32) {
  %r:3 = scf.if %c -> (i32, i32, i32) {
    %q:2 = scf.if %d -> (i32, i32) {
      %a = "foo.a"() : () -> i32
      scf.yield %a, %z : i32, i32
    } else {
      scf.yield %x, %y : i32, i32
    }
    scf.yield %q#0, %q#1, %z : i32, i32, i32
  } else {
    scf.yield %x, %y, %x : i32, i32, i32
  }
  return %r#0, %r#1, %r#2 : i32, i32, i32
}
func.func @nested2(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      "foo.a"() : () -> ()
    } else {
    }
  } else {
  }
  scf.if %c {
    "foo.b"() : () -> ()
  }
  scf.if %c {
  } else {
    "foo.c"() : () -> ()
  }
  return
}
