// RUN: mlc-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error@+1 {{expected '{' in attribute dictionary}}
func.func private @f() attributes 5

// -----

func.func @f(%a: i32) {
  %0:2 = "test.op"() : () -> (i32, i32)
  // expected-error@+1 {{invalid SSA value result number}}
  "test.use"(%0#99999999999) : (i32) -> ()
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{invalid SSA value result number}}
  "test.use"(%a#4000000000) : (i32) -> ()
}

// -----

// expected-error@+1 {{expected integer column number in FileLineColLoc}}
module attributes {a = loc("f":1:99999999999)} {}

// -----

// expected-error@+1 {{expected ':' followed by operation type}}
"test.op"() 5

// -----

func.func @f() {
  // expected-error@+1 {{expected valid ssa identifier}}
  %a, 5 = "test.op"() : () -> (i32, i32)
}

// -----

func.func @f() {
  // expected-error@+1 {{more results than the limit of 1048576 (--limit-operands)}}
  %a:9999999 = "test.op"() : () -> (i32)
}

// -----

// expected-error@+1 {{undefined symbol alias id '5'}}
module attributes {a = !5} {}

// -----

// expected-error@+1 {{unexpected character}}
module attributes {a = ~} {}

// -----

// expected-error@+1 {{custom op 'llvm.func' variadic arguments must be in the end of the argument list}}
llvm.func @f(..., i32)

// -----

// expected-error@+1 {{custom op 'llvm.func' variadic arguments must be in the end of the argument list}}
llvm.func @f(%a: i32, ..., %b: i32)

// -----

// expected-error@+1 {{unexpected ssa identifier}}
module attributes {a = affine_map<(d0) -> (%d0)>} {}

// -----

// expected-error@+1 {{unexpected symbolic identifier}}
module attributes {a = affine_map<(d0) -> (symbol(%d0))>} {}

// -----

func.func @f(%a: vector<4xf32>) {
  %0 = llvm.shufflevector %a, %a [0, 1] : f32
// expected-error@+1 {{custom op 'llvm.shufflevector' expected an LLVM compatible vector type}}
}

// -----

func.func @f(%a: vector<4xf32>) {
  // expected-error@+1 {{expected a mask}}
  %0 = llvm.shufflevector %a, %a {} : vector<4xf32>
}

// -----

// expected-error@+1 {{invalid type identifier}}
"test.op"() {a = !~} : () -> ()

// -----

func.func @f(%t: tensor<4xf32>) {
  %0 = llvm.extractvalue %t[0] : tensor<4xf32>
// expected-error@+1 {{custom op 'llvm.extractvalue' expected LLVM IR Dialect type, got 'tensor<4xf32>'}}
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{custom op 'cf.assert' attribute 'msg' occurs more than once in the attribute list}}
  cf.assert %c, "x" {msg = "y"}
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{`str` clause can appear at most once in the expansion of the oilist directive}}
  vector.print str "a" str "b"
  return
}
