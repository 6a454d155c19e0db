// RUN: not mlc-opt --check-dialect %S/Inputs/semantics_wrong.yaml 2>&1 | FileCheck %s
// Ops that cannot mean what they say.
// CHECK: semantics_wrong.yaml:4:16: error: unknown semantics 'loop'
// CHECK: semantics_wrong.yaml:6:16: error: unknown semantics ''
// CHECK: semantics_wrong.yaml:10:16: error: the operands of 'repeat' are how often it runs, and any number of first values
// CHECK: semantics_wrong.yaml:13:16: error: 'repeat' has one region
// CHECK: semantics_wrong.yaml:17:16: error: 'repeat' has one region
// CHECK: semantics_wrong.yaml:21:16: error: 'if' has one region, or two
// CHECK: semantics_wrong.yaml:25:16: error: the operands of 'if' are a condition, and nothing else
// CHECK: semantics_wrong.yaml:29:16: error: the operands of 'for' are a lower bound, an upper bound, a step, and any number of first values
// CHECK: semantics_wrong.yaml:32:16: error: 'yield' has no results
// CHECK: semantics_wrong.yaml:35:16: error: 'yield' has no regions
// CHECK: semantics_wrong.yaml:39:11: error: 'repeat' says it all: there is no 'loop' beside it
// CHECK: semantics_wrong.yaml:41:5: error: 'wrong.callee' has the name 'callee' twice
// CHECK: semantics_wrong.yaml:46:16: error: the operands of 'function' are none
// CHECK: semantics_wrong.yaml:50:16: error: 'yield' has no successors
// CHECK: semantics_wrong.yaml:52:18: error: this interface is what the key 'semantics' says
// CHECK: semantics_wrong.yaml:56:12: error: 'verify_regions' is what 'repeat' has itself
// CHECK: semantics_wrong.yaml:62:16: error: 'if' with results has two regions
// CHECK: semantics_wrong.yaml:65:16: error: the operands of 'for-each' are what it goes through, and any number of first values
