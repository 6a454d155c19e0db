// RUN: mlc-opt --load-dialect=%S/Inputs/traits.yaml %s --split-input-file --verify-diagnostics
// Traits and relations of a loaded dialect.
// expected-error@+1 {{'t.symbol' op requires string attribute 'sym_name'}}
"t.symbol"() : () -> ()

// -----

// expected-error@+1 {{'t.table' op Operations with a 'SymbolTable' must have exactly one region}}
"t.table"() : () -> ()

// -----

// expected-error@+1 {{'t.table' op Operations with a 'SymbolTable' must have exactly one block}}
"t.table"() ({
}) : () -> ()

// -----

// expected-error@+1 {{'t.bools' op requires a bool result type}}
%0 = "t.bools"() : () -> i8

// -----

func.func @lanes(%x: vector<4xf32>) {
  // expected-error@+1 {{'t.lanes' op if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = "t.lanes"(%x) : (vector<4xf32>) -> f32
  return
}

// -----

func.func @lanes(%x: f32) {
  // expected-error@+1 {{'t.lanes' op if a result is non-scalar, then at least one operand must be non-scalar}}
  %0 = "t.lanes"(%x) : (f32) -> vector<4xf32>
  return
}

// -----

func.func @shapes(%x: vector<4xf32>) {
  // expected-error@+1 {{'t.shapes' op failed to verify that type of 'r' is i1 with the shape of 'x'}}
  %0 = "t.shapes"(%x) : (vector<4xf32>) -> vector<8xi1>
  return
}

// -----

// expected-error@+1 {{'t.exactly' op failed to verify that type of 'r' is i32}}
%0 = "t.exactly"() : () -> i64

// -----

func.func @parts(%x: i32) {
  // expected-error@+1 {{'t.parts' op failed to verify that type of 'x' matches element type of 'r'}}
  %0 = "t.parts"(%x, %x) : (i32, i32) -> tensor<2xf32>
  return
}

// -----

func.func @tensor(%x: memref<4xf32>) {
  // expected-error@+1 {{'t.tensor' op failed to verify that type of 'r' is the tensor equivalent of 'x'}}
  %0 = "t.tensor"(%x) : (memref<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @element(%x: tensor<4xf32>) {
  // expected-error@+1 {{'t.element' op failed to verify that type of 'r' matches element type of 'x'}}
  %0 = "t.element"(%x) : (tensor<4xf32>) -> i32
  return
}

// -----

func.func @inputs(%x: i32) {
  // expected-error@+1 {{'t.inputs' op failed to verify that types of 'x' are the inputs of 'f'}}
  "t.inputs"(%x) {f = (i64) -> ()} : (i32) -> ()
  return
}

// -----

// expected-error@+1 {{'t.results' op result group starting at #0 requires 0 or 1 element, but found 2}}
%0:2 = "t.results"() : () -> (i32, i32)

// -----

// expected-error@+1 {{'t.results' op result #0 must be signless integer, but got 'f32'}}
%0 = "t.results"() : () -> f32

// -----

func.func @two() {
  // expected-error@+1 {{'t.two' op requires 2 successors but found 1}}
  "t.two"()[^a] : () -> ()
^a:
  return
}

// -----

// expected-error@+1 {{'t.graph' op expects graph region #0 to have 0 or 1 blocks}}
"t.graph"() ({
  "t.two"()[^a, ^a] : () -> ()
^a:
  "t.two"()[^a, ^a] : () -> ()
}) : () -> ()
