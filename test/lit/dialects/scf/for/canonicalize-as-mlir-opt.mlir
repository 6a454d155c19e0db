// RUN: mlc-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlc && mlir-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlir && diff %t.mlir %t.mlc
// REQUIRES: mlir-opt
// Carried values that never change, loops that run once or for nothing, casts of initial values.
func.func @for_dup(%lb: index, %ub: index, %s: index, %x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %r:4 = scf.for %i = %lb to %ub step %s iter_args(%a = %x, %b = %x, %c = %y, %d = %y) -> (f32, f32, f32, f32) {
    %z = arith.addf %a, %b : f32
    %u = "foo.a"(%c) : (f32) -> f32
    scf.yield %z, %z, %u, %x : f32, f32, f32, f32
  } {foo = 1 : i32}
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
}
func.func @for_trip(%n: index, %x: f32, %y: f32) -> (f32, f32) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %u = arith.addi %n, %c4 : index
  %r = scf.for %i = %n to %u step %c4 iter_args(%a = %x) -> (f32) {
    %z = "foo.a"(%i, %a) : (index, f32) -> f32
    scf.yield %z : f32
  }
  %q = scf.for %i = %n to %u step %c1 iter_args(%a = %x) -> (f32) {
    scf.yield %y : f32
  }
  return %r, %q : f32, f32
}
func.func @for_cast(%lb: index, %ub: index, %s: index, %t: tensor<4xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %lb to %ub step %s iter_args(%a = %c) -> tensor<?xf32> {
    %z = "foo.a"(%i, %a) : (index, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
