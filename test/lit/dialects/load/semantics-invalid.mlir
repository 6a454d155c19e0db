// RUN: mlc-opt --load-dialect=%S/Inputs/flow.yaml --split-input-file --verify-diagnostics %s
// What is wrong with ops that say what they mean.
func.func @count(%f: f32) {
  // expected-error @+1 {{'flow.repeat' op repeats 'f32' times, which is no index or integer}}
  flow.repeat %f of f32 {
    flow.give
  }
  return
}

// -----

func.func @results(%n: index, %x: i32) {
  // expected-error @+1 {{'flow.repeat' op different number of loop results and region iter_args: 0 != 1}}
  flow.repeat %n with %x : i32 of index {
  ^bb0(%v: i32):
    flow.give %v : i32
  }
  return
}

// -----

func.func @argument(%n: index, %x: i32) {
  // expected-error @+1 {{'flow.repeat' op argument #0 of region 'body' must be 'i32', as inits is, but is 'i64'}}
  %r = flow.repeat %n with %x : i32 -> i32 of index {
  ^bb0(%v: i64):
    flow.give %v : i64
  }
  return
}

// -----

func.func @given(%n: index, %x: i32, %y: i64) {
  %r = flow.repeat %n with %x : i32 -> i32 of index {
  ^bb0(%v: i32):
    // expected-error @+1 {{'flow.give' op gives 'i64' as value #0, but region 'body' of 'flow.repeat' yields 'i32', as inits is}}
    flow.give %y : i64
  }
  return
}

// -----

func.func @bounds(%n: index, %x: i32) {
  // expected-error @+1 {{'flow.for' op has bounds and a step of several types: 'index' and 'i32'}}
  "flow.for"(%n, %n, %x) ({
  ^bb0(%i: index):
    flow.give
  }) : (index, index, i32) -> ()
  return
}

// -----

func.func @bound(%x: f32) {
  // expected-error @+1 {{'flow.for' op has bounds of type 'f32', which is no index or integer}}
  "flow.for"(%x, %x, %x) ({
  ^bb0(%i: f32):
    flow.give
  }) : (f32, f32, f32) -> ()
  return
}

// -----

func.func @index(%n: index) {
  // expected-error @+1 {{'flow.for' op has an induction variable of type 'i32', but bounds of 'index'}}
  "flow.for"(%n, %n, %n) ({
  ^bb0(%i: i32):
    flow.give
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @condition(%x: i32) {
  // expected-error @+1 {{'flow.if' op has a condition of type 'i32', and not 'i1'}}
  flow.if %x of i32 {
    flow.give
  } else {
    flow.give
  }
  return
}

// -----

func.func @no_else(%c: i1, %x: i32) {
  // expected-error @+1 {{'flow.if' op  region control flow edge from parent operands to parent results: source has 0 operands, but target successor needs 1}}
  %r = "flow.if"(%c) ({
    flow.give %x : i32
  }, {
  }) : (i1) -> i32
  return
}

// -----

func.func @branch(%c: i1, %x: i32) {
  %r = flow.if %c of i1 {
    flow.give %x : i32
  } else {
    // expected-error @+1 {{'flow.give' op gives 0 values, but region 'no' of 'flow.if' yields 1}}
    flow.give
  }
  return
}

// -----

flow.def @returns(%x: i32) -> i64 {
  // expected-error @+1 {{'flow.give' op gives 'i32' as value #0, but '@returns' returns 'i64'}}
  flow.give %x : i32
}

// -----

flow.def @returns() -> i64 {
  // expected-error @+1 {{'flow.give' op gives 0 values, but '@returns' returns 1}}
  flow.give
}

// -----

// expected-error @+1 {{'flow.def' op type of entry block argument #0('i32') must match the type of the corresponding argument in function signature('i64')}}
"flow.def"() <{sym_name = "f", function_type = (i64) -> ()}> ({
^bb0(%x: i32):
  flow.give
}) : () -> ()

// -----

// expected-error @+1 {{'flow.def' op symbol declaration cannot have public visibility}}
flow.def @declared()

// -----

func.func @nobody() {
  // expected-error @+1 {{'flow.call' op 'nobody_else' does not reference a valid function}}
  flow.call @nobody_else() : () -> ()
  return
}

// -----

flow.def private @f(%x: i32)
func.func @arguments() {
  // expected-error @+1 {{'flow.call' op incorrect number of operands for callee}}
  flow.call @f() : () -> ()
  return
}

// -----

flow.def private @f() -> i32
func.func @result() {
  // expected-error @+3 {{'flow.call' op result type mismatch at index 0}}
  // expected-note @+2 {{op result types: 'i64'}}
  // expected-note @+1 {{function result types: 'i32'}}
  %r = flow.call @f() : () -> i64
  return
}

// -----

func.func @scalar_elements(%x: vector<4xf32>) {
  // expected-error @+1 {{'flow.each' op goes through 'vector<4xf32>', which is no tensor or memref of one dimension}}
  flow.each %x : vector<4xf32> do {
  ^bb0(%e: f32):
    flow.give
  }
  return
}

// -----

func.func @no_element(%x: tensor<4xf32>) {
  // expected-error @+1 {{'flow.each' op has a body without an argument for the element}}
  flow.each %x : tensor<4xf32> do {
    flow.give
  }
  return
}

// -----

func.func @element(%x: tensor<4xf32>) {
  // expected-error @+1 {{'flow.each' op goes through 'tensor<4xf32>', but its body takes 'f64'}}
  flow.each %x : tensor<4xf32> do {
  ^bb0(%e: f64):
    flow.give
  }
  return
}
