// RUN: not mlc-opt --load-dialect=%S/Inputs/loop_wrong.yaml %s 2>&1 | FileCheck %s
// A loop names operands and attributes of the op, each of the kind that it must be.
// CHECK: loop_wrong.yaml:4:11: error: expected a mapping that describes the loop
// CHECK: loop_wrong.yaml:6:11: error: the loop has neither bounds nor 'inits'
// CHECK: loop_wrong.yaml:6:11: error: 'wrong.nothing' has no region that is the loop's body
// CHECK: loop_wrong.yaml:8:12: error: unknown key 'until' of loop
// CHECK: loop_wrong.yaml:13:19: error: 'y' is no operand or attribute of 'wrong.names'
// CHECK: loop_wrong.yaml:13:30: error: 'a' is no operand of 'wrong.names'
// CHECK: loop_wrong.yaml:13:43: error: expected a name, or operands and an attribute
// CHECK: loop_wrong.yaml:13:58: error: 'a' is no operand of 'wrong.names'
// CHECK: loop_wrong.yaml:25:19: error: a loop's bound is one operand, or any number
// CHECK: loop_wrong.yaml:25:29: error: a loop's bound is an integer, an affine map or a dense array that is always there
// CHECK: loop_wrong.yaml:25:41: error: a loop's bound is an integer, an affine map or a dense array that is always there
// CHECK: loop_wrong.yaml:25:56: error: 'inits' of a loop is any number of operands
// CHECK: loop_wrong.yaml:30:29: error: 'upper' and 'lower' are for different numbers of variables
// CHECK: loop_wrong.yaml:30:40: error: expected any number of operands and a dense array
// CHECK: loop_wrong.yaml:30:11: error: 'wrong.numbers' has no region that is the loop's body
// CHECK: loop_wrong.yaml:34:31: error: 'nothing' is no operand or attribute of 'wrong.two_of_three'
// CHECK: loop_wrong.yaml:34:11: error: the loop has no 'step'
// CHECK: loop_wrong.yaml:35:18: error: this interface is what the key 'loop' says
