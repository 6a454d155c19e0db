// RUN: mlc-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect
// What the ops reject, in MLIR's words.
func.func @w(%a: i32) -> f32 {
  // expected-error @below {{'scf.while' op  along control flow edge from Region #0 to parent results: source type #0 'i32' should match input type #0 'f32'}}
  %r = scf.while (%x = %a) : (i32) -> f32 {
    %t = arith.constant true
    scf.condition(%t) %x : i32
  } do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  }
  return %r : f32
}

// -----

func.func @w(%a: i32) -> i32 {
  // expected-error @below {{'scf.while' op  region control flow edge from Region #1 to Region #0: source has 0 operands, but target successor needs 1}}
  %r = scf.while (%x = %a) : (i32) -> i32 {
    %t = arith.constant true
    scf.condition(%t) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield
  }
  return %r : i32
}

// -----

func.func @e(%a: i32) {
  // expected-error @below {{'scf.execute_region' op region cannot have any arguments}}
  "scf.execute_region"() ({ ^bb0(%x: i32): scf.yield }) : () -> ()
  return
}

// -----

func.func @e(%a: i32) {
  // expected-error @below {{'scf.execute_region' op region needs to have at least one block}}
  "scf.execute_region"() ({ }) : () -> ()
  return
}

// -----

func.func @e(%a: i32) -> f32 {
  // expected-error @below {{'scf.execute_region' op  along control flow edge from Region #0 to parent results: source type #0 'i32' should match input type #0 'f32'}}
  %r = "scf.execute_region"() ({ scf.yield %a : i32 }) : () -> f32
  return %r : f32
}

// -----

func.func @p(%a: index, %f: f32) -> f32 {
  // expected-error @below {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %r = "scf.parallel"(%a, %a, %a, %f) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({ ^bb0(%x: index): scf.reduce }) : (index, index, index, f32) -> f32
  return %r : f32
}

// -----

func.func @p(%a: index, %f: f32) {
  // expected-error @below {{'scf.parallel' op expects the same number of induction variables: 1 as bound and step values: 2}}
  "scf.parallel"(%a, %a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> ({ ^bb0(%x: index): scf.reduce }) : (index, index, index, index) -> ()
  return
}

// -----

func.func @p(%a: index, %f: f32) {
  // expected-error @below {{'scf.parallel' op expects arguments for the induction variable to be of index type}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({ ^bb0(%x: i32): scf.reduce }) : (index, index, index) -> ()
  return
}

// -----

func.func @fa(%a: index, %t: tensor<4xf32>) {
  // expected-error @below {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%i, %j) in (%a, 3) {
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

  // expected-note @below {{prior use here}}
func.func @fa(%a: index, %t: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error @below {{use of value '%t' expects different type than prior uses: 'tensor<?xf32>' vs 'tensor<4xf32>'}}
  %r = scf.forall (%i, %j) in (%a, 3) shared_outs(%o = %t) -> tensor<?xf32> {
  }
  return %r : tensor<?xf32>
}

// -----

func.func @fa(%a: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 1 step values, got 2}}
  %r = "scf.forall"(%a, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1, 1>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    scf.forall.in_parallel {}
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @fa(%a: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'scf.forall' op expects 0-th block argument to be an index}}
  %r = "scf.forall"(%a, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({
  ^bb0(%i: i32, %o: tensor<4xf32>):
    scf.forall.in_parallel {}
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @fa(%a: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'scf.forall' op type mismatch between 0-th output and corresponding block argument}}
  %r = "scf.forall"(%a, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({
  ^bb0(%i: index, %o: tensor<?xf32>):
    scf.forall.in_parallel {}
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @s(%a: index, %x: i32) -> i32 {
  // expected-error @below {{'scf.index_switch' op expected each region to return 1 values, but case region #0 returns 0}}
  %r = scf.index_switch %a -> i32
  // expected-note @below {{see yield operation here}}
  case 2 { scf.yield }
  default { scf.yield %x : i32 }
  return %r : i32
}

// -----

func.func @s(%a: index, %x: i32) -> i32 {
  // expected-error @below {{'scf.index_switch' op expected result #0 of each region to be 'i32'}}
  %r = scf.index_switch %a -> i32
  // expected-note @below {{case region #0 returns 'index' here}}
  case 2 { scf.yield %a : index }
  default { scf.yield %x : i32 }
  return %r : i32
}

// -----

func.func @s(%a: index, %x: i32) {
  // expected-error @below {{'scf.index_switch' op has 1 case regions but 2 case values}}
  "scf.index_switch"(%a) ({ scf.yield }, {scf.yield}) {cases = array<i64: 1, 2>} : (index) -> ()
  return
}

// -----

func.func @s(%a: index, %x: i32) {
  // expected-error @below {{'scf.index_switch' op has duplicate case value: 2}}
  scf.index_switch %a
  case 2 { scf.yield  }
  case 2 { scf.yield  }
  default { scf.yield }
  return
}

// -----

func.func @i(%c: i1) -> i32 {
  // expected-error @below {{'scf.if' op must have an else block if defining values}}
  %x = scf.if %c -> i32 {
    %z = arith.constant 1 : i32
    scf.yield %z : i32
  }
  return %x : i32
}

// -----

func.func @i(%c: i1) {
  // expected-error @below {{'func.return' op expects parent op 'func.func'}}
  "scf.if"(%c) ({ "func.return"() : () -> () }, {}) : (i1) -> ()
  return
}

// -----

func.func @fs(%a: index) {
  // expected-error @below {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%a, %a, %a) ({ ^bb0(%i: i32): scf.yield }) : (index, index, index) -> ()
  return
}

// -----

func.func @fs(%a: index, %f: f32) {
  // expected-error @below {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  "scf.for"(%a, %a, %a, %f) ({ ^bb0(%i: index, %y: f32): scf.yield %y : f32 }) : (index, index, index, f32) -> ()
  return
}

// -----

func.func @rr(%a: index, %f: f32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 {
  // expected-error @below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
    scf.reduce(%f : f32) { ^bb0(%x: f32, %y: f32): scf.yield %x : f32 }
  }
  return
}

// -----

func.func @rr(%a: index, %f: f32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 {
  // expected-error @below {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
    scf.reduce(%f : f32) { ^bb0(%x: f32, %y: f32): scf.reduce.return %a : index }
  }
  return
}

// -----

func.func @rr(%a: index, %f: f32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 {
  // expected-error @below {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
    scf.reduce(%f : f32) { ^bb0(%x: f32): scf.reduce.return %x : f32 }
  }
  return
}

// -----

func.func @wb(%a: i32) {
  // expected-error @below {{'scf.while' op expects the 'after' region to terminate with 'scf.yield'}}
  "scf.while"() ({ ^bb0: %t = arith.constant true 
  // expected-note @below {{terminator here}}
     scf.condition(%t) }, { ^bb0: "func.return"() : () -> () }) : () -> ()
  return
}

// -----

func.func @wb(%a: i32) {
  // expected-note @below {{terminator here}}
  // expected-error @below {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  "scf.while"() ({ ^bb0: scf.yield }, { ^bb0: scf.yield }) : () -> ()
  return
}
