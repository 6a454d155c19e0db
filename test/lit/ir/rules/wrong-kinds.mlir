// RUN: not mlc-opt --load-dialect=%S/Inputs/kinds.yaml --load-rules=%S/Inputs/kinds.rules %s 2>&1 | FileCheck %s
// What stands where a rule could never use it.
// CHECK: kinds.rules:2:53: error: attribute 'n' of 't.a' must be a constant, a literal, an attribute or a text, not a number
// CHECK-NEXT: {{.*}}kinds.rules:3:41: error: attribute 'n' of 't.a' must be a constant, a literal, an attribute or a text, not a condition
// CHECK-NEXT: {{.*}}kinds.rules:4:37: error: attribute 'n' of 't.a' must be a constant, a literal, an attribute or a text, not a condition
// CHECK-NEXT: {{.*}}kinds.rules:5:34: error: attribute 'n' of 't.a' must be an integer or a text here
// CHECK-NEXT: {{.*}}kinds.rules:6:22: error: 'garbage<' is no attribute 'n': expected attribute value
// CHECK-NEXT: {{.*}}kinds.rules:7:38: error: '1 : i32' is no attribute 'n': it must be 64-bit signless integer attribute
// CHECK-NEXT: {{.*}}kinds.rules:8:47: error: '3 : i64' is no attribute 's': it must be string attribute
// CHECK-NEXT: {{.*}}kinds.rules:9:26: error: 't.a' requires attribute 'n'
// CHECK-NEXT: {{.*}}kinds.rules:10:30: error: attribute 'n' is there twice
// CHECK-NEXT: {{.*}}kinds.rules:11:46: error: attribute 'n' is there twice
// CHECK-NEXT: {{.*}}kinds.rules:12:27: error: the result must be a value, a constant or a literal, not a number
// CHECK-NEXT: {{.*}}kinds.rules:13:30: error: the result must be a value, a constant or a literal, not a text
// CHECK-NEXT: {{.*}}kinds.rules:14:41: error: the result must be a value, a constant or a literal, not an attribute
// CHECK-NEXT: {{.*}}kinds.rules:15:30: error: the result must be a value, a constant or a literal, not a type
// CHECK-NEXT: {{.*}}kinds.rules:16:30: error: operand 2 of 't.b' must be a value, a constant, a literal or a list, not a condition
// CHECK-NEXT: {{.*}}kinds.rules:17:35: error: operand 2 of 't.b' must be a value, a constant, a literal or a list, not a number
// CHECK-NEXT: {{.*}}kinds.rules:18:33: error: operand 2 of 't.b' must be a value, a constant, a literal or a list, not a text
// CHECK-NEXT: {{.*}}kinds.rules:19:33: error: operand 2 of 't.b' must be a value, a constant, a literal or a list, not no result
// CHECK-NEXT: {{.*}}kinds.rules:20:19: error: 't.b' has 2 operands, not 1
// CHECK-NEXT: {{.*}}kinds.rules:21:27: error: 't.a' has 1 operand, not 2
// CHECK-NEXT: {{.*}}kinds.rules:22:23: error: 't.some' has at least 1 operand, not 0
// CHECK-NEXT: {{.*}}kinds.rules:23:27: error: the result must be a value, a constant or a literal, not no result
// CHECK-NEXT: {{.*}}kinds.rules:24:26: error: 't.region' has 1 region, not 0
// CHECK-NEXT: {{.*}}kinds.rules:25:25: error: a rule names no blocks, and 't.jump' has a successor
// CHECK-NEXT: {{.*}}kinds.rules:26:30: error: 'y =' stands in patterns
// CHECK-NEXT: {{.*}}kinds.rules:26:30: error: operand 1 of 't.some' must be a value, a constant, a literal or a list, not no result
// CHECK-NEXT: {{.*}}kinds.rules:27:35: error: 'y =' stands in patterns
// CHECK-NEXT: {{.*}}kinds.rules:28:37: error: 'garbage' is no type: expected non-function type
// CHECK-NEXT: {{.*}}kinds.rules:29:42: error: 'word' is no type: expected non-function type
// CHECK-NEXT: {{.*}}kinds.rules:30:47: error: what stands behind ':' must be a type or a text, not a number
// CHECK-NEXT: {{.*}}kinds.rules:31:29: error: what holds or does not must be a constant, an attribute or a condition, not a value
// CHECK-NEXT: {{.*}}kinds.rules:32:37: error: what holds or does not must be a constant, an attribute or a condition, not a type
// CHECK-NEXT: {{.*}}kinds.rules:33:37: error: what holds or does not must be a constant, an attribute or a condition, not a type
// CHECK-NEXT: {{.*}}kinds.rules:33:42: error: what holds or does not must be a constant, an attribute or a condition, not a value
// CHECK-NEXT: {{.*}}kinds.rules:34:32: error: what stands here must be a constant, a literal, an attribute or a number, not a value
// CHECK-NEXT: {{.*}}kinds.rules:35:46: error: 'garbage' is no type: expected non-function type
// CHECK-NEXT: {{.*}}kinds.rules:36:38: error: what stands here must be a value or a type, not a text
// CHECK-NEXT: {{.*}}kinds.rules:37:57: error: what is compared must be a value, a constant, a literal, an attribute, a type, a text or a number, not a condition
// CHECK-NEXT: {{.*}}kinds.rules:38:47: error: a float needs a type here
// CHECK-NEXT: {{.*}}kinds.rules:39:28: error: what stands here must be a constant, a literal, an attribute or a number, not a value
// CHECK-NEXT: {{.*}}kinds.rules:39:32: error: what stands here must be a constant, a literal, an attribute or a number, not a value
// CHECK-NEXT: {{.*}}kinds.rules:40:37: error: argument 1 of 'one_use' must be a value or a constant, not a literal
// CHECK-NEXT: {{.*}}kinds.rules:41:48: error: argument 2 of 'like' must be a value, a constant or a type, not a text
// CHECK-NEXT: {{.*}}kinds.rules:42:37: error: 't.b' has no result 'nobody'
// CHECK-NEXT: {{.*}}kinds.rules:43:27: error: dialect 't' makes no constants: its head has no 'constants'
// CHECK-NEXT: {{.*}}kinds.rules:44:46: error: dialect 't' makes no constants: its head has no 'constants'
