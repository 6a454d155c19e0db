// RUN: mlc-opt %s --interpret --entry f --input 0 -verify-diagnostics
// A division by zero is an error at the op, with the way that led there.
func.func @divide(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{'arith.divsi' op divides by zero}}
  %r = arith.divsi %c1, %a : i32
  return %r : i32
}
func.func @f(%a: i32) -> i32 {
  // expected-note @+1 {{called from here}}
  %r = call @divide(%a) : (i32) -> i32
  return %r : i32
}
