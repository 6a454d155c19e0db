// RUN: not mlc-opt %s -split-input-file --mlir-disable-threading 2> %t.one
// RUN: not mlc-opt %s -split-input-file --threads=3 --threads-min-size=0 2> %t.three
// RUN: diff %t.one %t.three
// RUN: FileCheck %s --input-file=%t.three
// What one thread reports, several do: the first fault in the order of the text, and what one thread accepts only.
func.func @good() {
  return
}
func.func @first() {
  // CHECK: error: use of undeclared SSA value name
  // CHECK: error: use of undeclared SSA value name
  "func.return"(%unknown) : (i32) -> ()
}
func.func @second() {
  return %second : i32
}

// -----
func.func @unknown_op() {
  // CHECK: error: custom op 'arith.unknown' is unknown
  arith.unknown
}
// CHECK-NOT: expected operation name
=

// -----
func.func @before_alias(%a: index) {
  // CHECK: error: undefined symbol alias id 'later'
  %0 = affine.apply #later(%a)
  return
}
#later = affine_map<(d0) -> (d0)>

// -----
// CHECK: error: operation location alias was never defined
func.func @no_alias() {
  return loc(#nowhere)
}

// -----
func.func @no_block() {
  // CHECK: error: reference to an undefined block
  cf.br ^nowhere
}
func.func @fine() {
  return
}

// -----
// CHECK: error: region entry argument '%a' is already in use
func.func @twice(%a: i32, %a: i32) {
  return
}

// -----
// CHECK: error: redefinition of SSA value '%0'
"builtin.module"() ({
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----
func.func @open_string() {
  // CHECK: error: expected '"' in string literal
  return {a = "}
  return
}

// -----
func.func @sets_body(%n: i64) {
  %0 = llvm.alloca %n x !llvm.struct<"pair", (i32, i64)> : (i64) -> !llvm.ptr
  return
}
// CHECK: :[[#]]:[[#]]: error: identified type already used with a different body
// CHECK-NEXT: func.func private @has_another
func.func private @has_another(!llvm.struct<"pair", (i64, i64)>)

// -----
// Found by the verifier: in each function, in order.
// CHECK: error: 'func.return' op has 0 operands, but enclosing function (@one) returns 1
// CHECK: error: 'func.return' op has 0 operands, but enclosing function (@two) returns 1
func.func @one() -> i32 {
  return
}
func.func @two() -> i32 {
  return
}
