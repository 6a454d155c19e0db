// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Switches, landing pads and returns.

llvm.func @cases(%x: i32) {
  // expected-error@+1 {{'llvm.switch' op expects number of case values to match number of case destinations}}
  "llvm.switch"(%x)[^a, ^b] {case_values = dense<[1, 2]> : vector<2xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^a:
  llvm.return
^b:
  llvm.return
}

// -----

llvm.func @width(%x: i32) {
  // expected-error@+1 {{expects case value type to match condition value type}}
  "llvm.switch"(%x)[^a, ^b] {case_values = dense<1> : vector<1xi64>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^a:
  llvm.return
^b:
  llvm.return
}

// -----

llvm.func @weights(%x: i32) {
  // expected-error@+1 {{expects number of branch weights to match number of successors: 3 vs 2}}
  "llvm.switch"(%x)[^a, ^b] {branch_weights = array<i32: 1, 2, 3>, case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^a:
  llvm.return
^b:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
llvm.func @catches(%p: !llvm.ptr) attributes {personality = @personality} {
  // expected-note@+1 {{global addresses expected as operand to bitcast used in clauses for landingpad}}
  %0 = llvm.bitcast %p : !llvm.ptr to !llvm.ptr
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  // expected-error@+1 {{constant clauses expected}}
  %1 = llvm.landingpad (catch %0 : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.br ^done
^done:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
llvm.func @catches(%p: !llvm.ptr) attributes {personality = @personality} {
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  // expected-error@+1 {{clause #0 is not a known constant - null, addressof, bitcast}}
  %1 = llvm.landingpad (catch %p : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.br ^done
^done:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @catches() {
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  // expected-error@+1 {{llvm.landingpad needs to be in a function with a personality}}
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.br ^done
^done:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
llvm.func @catches() attributes {personality = @personality} {
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  // expected-error@+1 {{landingpad instruction expects at least one clause or cleanup attribute}}
  %1 = llvm.landingpad : !llvm.struct<(ptr, i32)>
  llvm.br ^done
^done:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
// expected-error@+1 {{'llvm.landingpad' should have a consistent result type inside a function}}
llvm.func @catches() attributes {personality = @personality} {
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.invoke @throws() to ^done unwind ^other : () -> ()
^other:
  %2 = llvm.landingpad cleanup : !llvm.struct<(ptr, i64)>
  llvm.br ^done
^done:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
// expected-error@+1 {{'llvm.resume' should have a consistent input type inside a function}}
llvm.func @catches(%x: i32) attributes {personality = @personality} {
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %x : i32
^done:
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
llvm.func @unwinds() attributes {personality = @personality} {
  // expected-error@+1 {{first operation in unwind destination should be a llvm.landingpad operation}}
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^pad:
  llvm.br ^done
^done:
  llvm.return
}

// -----

// expected-note@+1 {{when returning from function}}
llvm.func @nothing() -> i32 {
  // expected-error@+1 {{'llvm.return' op expected 1 operand}}
  llvm.return
}

// -----

// expected-note@+1 {{when returning from function}}
llvm.func @something(%x: i32) {
  // expected-error@+1 {{'llvm.return' op expected no operands}}
  llvm.return %x : i32
}

// -----

llvm.func @intrinsic() {
  // expected-error@+1 {{'llvm.call_intrinsic' op intrinsic name must start with 'llvm.'}}
  llvm.call_intrinsic "x86.sse2.pause"() : () -> ()
  llvm.return
}

// -----

llvm.func @throws()
llvm.func @personality(...) -> i32
// expected-error@+1 {{empty block: expect at least a terminator}}
llvm.func @unwinds() attributes {personality = @personality} {
  llvm.invoke @throws() to ^done unwind ^pad : () -> ()
^done:
  llvm.return
^pad:
}
