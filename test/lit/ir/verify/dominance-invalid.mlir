// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Values that are used where they are not known.
func.func @before() -> i32 {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  %1 = "a.c"(%0) : (i32) -> i32
  // expected-note@+1 {{operand defined here (op in the same block)}}
  %0 = "a.b"() : () -> i32
  func.return %1 : i32
}

// -----

func.func @branch(%c: i1) -> i32 {
  cf.cond_br %c, ^one, ^two
^one:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %0 = "a.b"() : () -> i32
  cf.br ^two
^two:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  func.return %0 : i32
}

// -----

// expected-note@+1 {{operand defined as a block argument (block #1 in the same region)}}
func.func @argument(%c: i1) {
  cf.cond_br %c, ^one(%c : i1), ^two
^one(%x: i1):
  cf.br ^two
^two:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "a.c"(%x) : (i1) -> ()
  func.return
}

// -----

func.func @later(%c: i1) {
  scf.if %c {
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "a.c"(%0) : (i32) -> ()
  }
  // expected-note@+1 {{operand defined here (op in a parent region)}}
  %0 = "a.b"() : () -> i32
  func.return
}

// -----

%0 = "a.b"() : () -> i32
// expected-note@+1 {{required by region isolation constraints}}
"func.func"() <{function_type = () -> (), sym_name = "isolated"}> ({
  // expected-error@+1 {{'a.c' op using value defined outside the region}}
  "a.c"(%0) : (i32) -> ()
  func.return
}) : () -> ()
