// RUN: not mlc-opt --load-rules=%S/Inputs/wrong.rules %s 2>&1 | FileCheck %s
// Each fault of a rules file is reported at its place.
// CHECK: wrong.rules:2:21: error: there is no op 'twice'
// CHECK: wrong.rules:3:30: error: no 'z' in the pattern
// CHECK: wrong.rules:4:16: error: the op has another number of operands
// CHECK: wrong.rules:5:30: error: there is no op and no function 'half'
// CHECK: wrong.rules:6:39: error: 'arith.mulsi_extended' has 2 results, not 1
// CHECK: wrong.rules:7:36: error: 'lt' is no case of attribute 'predicate' of 'arith.cmpi'
// CHECK: wrong.rules:8:17: error: the constant operand of a commutative op stands on the right
// CHECK: wrong.rules:9:44: error: this operand of 'arith.select' needs a type
// CHECK: wrong.rules:10:20: error: a type in a pattern is a variable (upper case) or a constraint's name
// CHECK: wrong.rules:11:37: error: 'width' takes 1 argument, but has 2
