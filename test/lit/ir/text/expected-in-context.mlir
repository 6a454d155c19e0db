// RUN: mlc-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What was expected is told with the construct that it stands in.

// expected-error@+2 {{no expression inside parentheses}}
// expected-error@+1 {{missing operand of negation}}
#map = affine_map<(d0) -> (-())>

// -----

// expected-error@+2 {{missing right operand of binary operator}}
// expected-error@+1 {{missing operand of negation}}
#map = affine_map<(d0) -> (-(d0 + ))>

// -----

// A difference is no negation.
// expected-error@+1 {{missing right operand of binary operator}}
#map = affine_map<(d0) -> (d0 - (d0 + ))>

// -----

// expected-error@+1 {{expected '<' after distinct ID}}
#attr = distinct[8](

// -----

// expected-error@+1 {{expected '>' to close distinct attribute}}
#attr = distinct[8]<@foo]

// -----

// expected-error@+1 {{expected ')' after child location of NameLoc}}
"a"() : () -> () loc("foo"(unknown])

// -----

// expected-error@+1 {{expected '>' after fused location metadata}}
"a"() : () -> () loc(fused<true [unknown])

// -----

// expected-error@+1 {{expected '[' in fused location}}
"a"() : () -> () loc(fused<true>unknown])

// -----

// expected-error@+1 {{expected location, but found dialect attribute: '#foo.loc'}}
"a"() : () -> () loc(#foo.loc)

// -----

// expected-error@+1 {{expected ',' between complex elements}}
"a"() {value = dense<[(10)]> : tensor<complex<i64>>} : () -> ()

// -----

// expected-error@+1 {{expected ')' after complex elements}}
"a"() {value = dense<[(10, 10]> : tensor<complex<i64>>} : () -> ()

// -----

// expected-error@+1 {{@ identifier expected to start with letter or '_'}}
func.func @$name()

// -----

// expected-error@+1 {{expected non-function type}}
func.func @variadic(...)

// -----

// expected-error@+1 {{expected SSA identifier}}
func.func @mixed(%a: i32, i32)

// -----

// expected-error@+1 {{expected type instead of SSA identifier}}
func.func @mixed(i32, %a: i32)

// -----

// What the text ends without is missed at the end of the last line.
// expected-error@+1 {{expected '>'}}
#attr = dense_resource<res

