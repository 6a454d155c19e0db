// RUN: not mlc-opt --load-rules=%S/Inputs/wrong-patterns.rules %s 2>&1 | FileCheck %s
// What cannot stand in a pattern, or asks for too much.
// CHECK: wrong-patterns.rules:2:37: error: 'arith.cmpi' has no attribute 'order'
// CHECK: wrong-patterns.rules:3:73: error: 'arith.cmpi' has no attribute 'order'
// CHECK: wrong-patterns.rules:4:40: error: this cannot stand in a pattern
// CHECK: wrong-patterns.rules:5:19: error: 'arith.addui_extended' has no result 'half'
// CHECK: wrong-patterns.rules:6:22: error: only an op has a name in front
// CHECK: wrong-patterns.rules:7:21: error: 'T' is a type variable; values are in lower case
// CHECK: wrong-patterns.rules:8:19: error: this cannot stand in a pattern
// CHECK: wrong-patterns.rules:9:12: error: a pattern is an op
// CHECK: wrong-patterns.rules:11:6: error: rule 'twice' is there twice
// CHECK: wrong-patterns.rules:12:78: error: an attribute variable stands in one place; compare in the guard
// CHECK: wrong-patterns.rules:13:13: error: too many commutative ops in one pattern
// CHECK: wrong-patterns.rules:14:17: error: too many variables in one rule
// CHECK: wrong-patterns.rules:15:{{.*}}: error: the rules of this op look at too many places
// CHECK: wrong-patterns.rules:16:16: error: more than 8 operands, attributes or results
