// RUN: mlc-opt --dialect-reference %S/../../../examples/money/money.yaml | FileCheck %s
// RUN: mlc-opt --dialect-reference %S/../dialects/load/Inputs/require.yaml | FileCheck %s --check-prefix=REQUIRE
// RUN: not mlc-opt --dialect-reference %S/Inputs/mistakes.yaml 2>&1 | FileCheck %s --check-prefix=WRONG
// The page of a user's dialect.

// CHECK: # `money`
// CHECK: Passes that convert its ops: `lower{by=money_to_arith}` (3), of 3.
// CHECK: - `!money.amount`:
// CHECK: ### `money.of`
// CHECK: So many cents.
// CHECK: **Converted by**: `lower{by=money_to_arith}`.
// REQUIRE: **Requires**: `rank(lhs) == 2 && rank(rhs) == 2`, `dim(lhs, 1) == dim(rhs, 0)`
// WRONG: mistakes.yaml:6:5: error: unknown key 'oprands' of op
// WRONG-NOT: #
