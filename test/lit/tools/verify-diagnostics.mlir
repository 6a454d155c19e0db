// REQUIRES: mlc-opt, not
// RUN: not mlc-opt %s --verify-diagnostics 2>&1 | FileCheck %s

// CHECK: verify-diagnostics.mlir:[[#@LINE+1]]:4: error: malformed expected-... comment
// expected-error {no braces}

// CHECK: :[[#@LINE+1]]:{{.*}}error: found start of regex with no end '}}'
// expected-error-re@+1 {{a {{b+ c}}

// CHECK: error: invalid regex: parentheses not balanced
// expected-error-re@+1 {{a {{(b}} c}}

// CHECK: error: invalid regex: nested deeper than 200
// expected-error-re@+1 {{a {{((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((b}} c}}

// CHECK: error: expected remark "never" was not produced
// expected-remark@+1 {{never}}
func.func private @f()
