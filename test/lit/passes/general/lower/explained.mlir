// RUN: mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/explained.rules %s --lower=by=explained -split-input-file -verify-diagnostics
// Of each rule the first thing that does not match, in the order in which they are tried.
func.func @sum(%a: !calc.money<"eur">, %b: !calc.money<"eur">) -> !calc.money<"eur"> {
  // expected-error @below {{failed to legalize operation 'calc.add' that was explicitly marked illegal}}
  // expected-note @below {{pattern 'explained': no rule matches: 'tripled': operand 0 is not made by 'calc.scale'; 'tripled': operand 1 is not made by 'calc.scale'; 'same': operand 1 is not operand 0; 'constant_operand': operand 1 is no constant; 'narrow': its guard does not hold; 'bit': operand 0 is not of type 'i1'; 'half': what it makes cannot be made here}}
  // expected-note @below {{pattern 'types of values'}}
  %0 = calc.add %a, %b : !calc.money<"eur">
  return %0 : !calc.money<"eur">
}

// -----

func.func @compared(%a: !calc.money<"eur">, %b: !calc.money<"eur">) -> i1 {
  // expected-error @below {{failed to legalize operation 'calc.compare'}}
  // expected-note @below {{no rule matches: 'less': attribute 'order' of the op is not slt}}
  // expected-note @below {{pattern 'types of values'}}
  %0 = calc.compare sgt %b, %a : !calc.money<"eur">
  return %0 : i1
}

// -----

func.func @scaled(%a: !calc.money<"eur">) {
  // expected-error @below {{failed to legalize operation 'calc.scale'}}
  // expected-note @below {{no rule matches: 'seven': attribute 'factor' of the op is not 7}}
  // expected-note @below {{pattern 'types of values'}}
  %0 = calc.scale %a by 3 : !calc.money<"eur">
  return
}

// -----

func.func @shown(%a: f32) {
  // expected-error @below {{failed to legalize operation 'calc.show'}}
  // expected-note @below {{no rule matches: 'shown': operand 0 is not 1.5}}
  // expected-note @below {{pattern 'types of values'}}
  calc.show %a : f32
  return
}

// -----

func.func @returned() {
  // expected-error @below {{failed to legalize operation 'func.return'}}
  // expected-note @below {{pattern 'explained': no rule matches: 'returned': the op has not 2 operands}}
  // expected-note @below {{pattern 'types of values': leaves 'func.return' illegal}}
  // expected-note @below {{pattern 'explained' for 'func.return'}}
  // expected-note @below {{pattern 'types of values' for 'func.return'}}
  return
}

// -----

func.func @narrowed(%a: i64) {
  // expected-error @below {{failed to legalize operation 'arith.trunci'}}
  // expected-note @below {{no rule matches: 'narrowed': operand 0 has not the type of the op}}
  // expected-note @below {{pattern 'types of values'}}
  %0 = arith.trunci %a : i64 to i32
  return
}
