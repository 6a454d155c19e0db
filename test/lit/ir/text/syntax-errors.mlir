// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What upstream says, where it says it.
func.func @f(%a: i32) {
  // expected-error @below {{expected ','}}
  %0 = arith.addi %a   %b : i32
  return
}
// -----
// expected-error @below {{expected '>' in tensor type}}
func.func @f(%a: tensor<4xi32) {
  return
}
// -----
// expected-error @below {{expected non-function type}}
func.func @f(%a: foo) {
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error @below {{use of undeclared SSA value name}}
  %0 = arith.addi %a, %b : i32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-note @below {{previously defined here}}
  %0 = arith.addi %a, %a : i32
  // expected-error @below {{redefinition of SSA value '%0'}}
  %0 = arith.addi %a, %a : i32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error @below {{reference to an undefined block}}
  cf.br ^nowhere
}
// -----
func.func @f(%a: i32) {
  // expected-error @below {{custom op 'arith.nothing' is unknown}}
  arith.nothing %a
}
// -----
func.func @f(%a: i32) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
  %0 = arith.addi %a, %a : i64
  return
}
// -----
// expected-error @below {{use of undeclared identifier}}
func.func private @f(memref<4xi32, affine_map<(d0) -> (d1)>>)
// -----
// expected-error @below {{integer constant out of range for attribute}}
"func.func"() {a = 300 : i8} : () -> ()
// -----
// expected-error @below {{undefined symbol alias id 'nothing'}}
"func.func"() {a = #nothing} : () -> ()
// -----
// expected-error @below {{inferred shape of elements literal ([2]) does not match type ([3])}}
"func.func"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()
// -----
// expected-error @below {{invalid dialect namespace '""'}}
"func.func"() {a = !.a} : () -> ()
// -----
// expected-error @below {{invalid dialect namespace '"1"'}}
"func.func"() {a = #1<a>} : () -> ()
// -----
// expected-error @below {{dimension does not fit into 64 bits}}
"func.func"() {a = !llvm.vec<4 x9223372036877777777777777777 x ptr>} : () -> ()
