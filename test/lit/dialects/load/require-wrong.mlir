// RUN: not mlc-opt --load-dialect=%S/Inputs/require_wrong.yaml %s 2>&1 | FileCheck %s
// RUN: not mlc-opt --load-dialect=%S/Inputs/require_wrong_type.yaml %s 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: sed /rule:/,/message:/d %S/Inputs/require_wrong_type.yaml > %t.yaml && not mlc-opt --load-dialect=%t.yaml %s 2>&1 | FileCheck %s --check-prefix=NO-TYPE
// Mistakes in conditions and messages are told where they stand, all of them.

// CHECK: require_wrong.yaml:30:18: error: this interface is what the key 'require' says
// CHECK: require_wrong.yaml:7:14: error: 'req.a' has no operand, result or attribute 'lsh'; did you mean 'lhs'?
// CHECK: require_wrong.yaml:8:22: error: syntax error, unexpected '=', expecting end of file
// CHECK: require_wrong.yaml:9:10: error: 'dim' takes 2 arguments, but has 1
// CHECK: require_wrong.yaml:10:10: error: there is no function 'dims'; did you mean 'dim'?
// CHECK: require_wrong.yaml:11:10: error: what holds or does not must be a constant, an attribute or a condition, not a number
// CHECK: require_wrong.yaml:12:14: error: argument 1 of 'dim' must be a value, a constant or a type, not an attribute
// CHECK: require_wrong.yaml:13:10: error: what stands here must be a constant, a literal, an attribute or a number, not a list
// CHECK: require_wrong.yaml:14:10: error: what stands here must be a value, a constant, a type or a text, not a number
// CHECK: require_wrong.yaml:15:23: error: 'req.a' has no operand, result or attribute 'c'
// CHECK: require_wrong.yaml:17:9: error: expected a condition, as "dim(lhs, 1) == dim(rhs, 0)", under 'require'
// CHECK: require_wrong.yaml:18:9: error: expected a condition, as "dim(lhs, 1) == dim(rhs, 0)", under 'require'
// CHECK: require_wrong.yaml:19:10: error: unknown key 'rules' of requirement
// CHECK: require_wrong.yaml:20:9: error: expected a condition, as "dim(lhs, 1) == dim(rhs, 0)", under 'rule'
// CHECK: require_wrong.yaml:21:43: error: expected a text under 'message'
// CHECK: require_wrong.yaml:22:48: error: there is no function 'rnak'; did you mean 'rank'?
// CHECK: require_wrong.yaml:23:43: error: '{' at character 4 of the message has no other half
// CHECK: require_wrong.yaml:24:43: error: '}' at character 13 of the message has no other half
// CHECK: require_wrong.yaml:25:48: error: what a message says must be a value, a constant, a literal, an attribute, a type, a text or a number, not a list
// CHECK: require_wrong.yaml:26:10: error: 'is' takes 2 arguments, but has 1
// CHECK: require_wrong.yaml:27:20: error: syntax error, unexpected end of file
// CHECK: require_wrong.yaml:28:25: error: syntax error, unexpected name, expecting end of file
// CHECK: require_wrong.yaml:29:10: error: there is no function 'arith.addi'
// TYPE: require_wrong_type.yaml:8:18: error: the message has more than 255 parts
// NO-TYPE: :6:9: error: 'f99' is no type
