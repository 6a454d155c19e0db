// RUN: mlc-opt --load-dialect=%S/Inputs/rounds.yaml --split-input-file --verify-diagnostics %s
// A loop has what its record says, so that passes may rely on it.
func.func @bounds(%a: index) {
  // expected-error @+1 {{'rounds.grid' op has 1 upper bounds, but 2 lower bounds}}
  "rounds.grid"() <{static_first = array<i64: 0, 0>, static_end = array<i64: 8>, by = array<i64: 1, 2>, operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%i: index, %j: index):
    "rounds.next"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @operands(%a: index) {
  // expected-error @+1 {{'rounds.grid' op has 1 operands for 0 upper bounds that are not constant}}
  "rounds.grid"(%a) <{static_first = array<i64: 0>, static_end = array<i64: 8>, by = array<i64: 1>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%i: index):
    "rounds.next"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @arguments(%a: index) {
  // expected-error @+1 {{'rounds.grid' op has a body of 1 arguments for 2 induction variables}}
  "rounds.grid"() <{static_first = array<i64: 0, 0>, static_end = array<i64: 8, 8>, by = array<i64: 1, 2>, operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%i: index):
    "rounds.next"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @type(%a: index) {
  // expected-error @+1 {{'rounds.count' op has an induction variable of type 'i32', but bounds of 'index'}}
  "rounds.count"(%a, %a, %a) ({
  ^bb0(%i: i32):
    "rounds.next"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @handed_on(%a: index, %x: i32) {
  // expected-error @+1 {{'rounds.count' op different number of inits and region iter_args: 1 != 0}}
  "rounds.count"(%a, %a, %a, %x) ({
  ^bb0(%i: index):
    "rounds.next"() : () -> ()
  }) : (index, index, index, i32) -> ()
  return
}

// -----

func.func @narrow() {
  // expected-error @+1 {{'rounds.narrow' op has lower bounds that are not 64-bit integers}}
  "rounds.narrow"() <{first = array<i32: 0>, end = array<i32: 8>, by = array<i32: 1>}> ({
  ^bb0(%i: index):
    "rounds.next"() : () -> ()
  }) : () -> ()
  return
}
