// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Maps and sets that end early, or where something else was meant.
// expected-error@+2 {{expected affine expression}}
// expected-error@+1 {{missing operand of negation}}
#m = affine_map<(i) -> (-)>
// -----
// expected-error@+1 {{missing right operand of binary operator}}
#m = affine_map<(i) -> (i +)>
// -----
// expected-error@+1 {{missing left operand of binary operator}}
#m = affine_map<(i) -> (*i)>
// -----
// expected-error@+1 {{use of undeclared identifier}}
#m = affine_map<(i) -> (i floordiv floordiv 3)>
// -----
// expected-error@+1 {{expected ')' in affine map range}}
#m = affine_map<(i) -> (i 3)>
// -----
// expected-error@+1 {{expected '(' in affine map range}}
#m = affine_map<(i) -> i>
// -----
// expected-error@+1 {{expected ')' in dimensional identifier list}}
#m = affine_map<(i, j -> (i)>
// -----
// expected-error@+1 {{expected ']' in symbol list}}
#m = affine_map<(i)[s -> (i)>
// -----
// expected-error@+1 {{expected bare identifier}}
#m = affine_map<(1) -> (0)>
// -----
// expected-error@+1 {{expected '->' or ':'}}
#m = affine_map<(i) (i)>
// -----
// expected-error@+1 {{expected AffineMap, but got IntegerSet}}
#m = affine_map<(i) : (i >= 0)>
// -----
// expected-error@+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
#m = affine_set<(i) : (i > 0)>
// -----
// expected-error@+1 {{expected ')' in integer set constraint list}}
#m = affine_set<(i) : (i >= 0>
// -----
// expected-error@+1 {{constant too large for index}}
#m = affine_map<(i) -> (99999999999999999999)>
