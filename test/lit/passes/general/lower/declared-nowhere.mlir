// RUN: mlc-opt --load-rules=%S/Inputs/two_i.rules %s --pass-pipeline='builtin.module(func.func(lower{by=two_i}))' --verify-diagnostics
// A pass on functions does not touch what is around them.
func.func @f(%x: i32) -> i32 {
  // expected-error @+2 {{failed to legalize operation 'arith.addi'}}
  // expected-note @+1 {{no symbol table in what is lowered can declare '@plus'}}
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
