// RUN: not mlc-opt --load-dialect=%S/Inputs/records_wrong.yaml %s 2>&1 | FileCheck %s
// Parts of a record that cannot be meant: each is told at its place.
// CHECK: records_wrong.yaml:17:59: error: parameter 'n' is defined twice
// CHECK-NEXT: {{.*}}records_wrong.yaml:13:39: error: cases 'up' and 'down' have one value
// CHECK-NEXT: {{.*}}records_wrong.yaml:14:66: error: 8 bits do not hold 256
// CHECK-NEXT: {{.*}}records_wrong.yaml:15:28: error: 'two words' is no name of a case
// CHECK-NEXT: {{.*}}records_wrong.yaml:3:28: error: the width of an integer is from 1 to 16777215
// CHECK-NEXT: {{.*}}records_wrong.yaml:4:27: error: the width of an integer is from 1 to 16777215
// CHECK-NEXT: {{.*}}records_wrong.yaml:5:21: error: expected a mapping that describes the integer
// CHECK-NEXT: {{.*}}records_wrong.yaml:6:17: error: expected an integer or [low, high]
// CHECK-NEXT: {{.*}}records_wrong.yaml:7:20: error: expected a number that is not negative
// CHECK-NEXT: {{.*}}records_wrong.yaml:8:18: error: expected a list of constraints
// CHECK-NEXT: {{.*}}records_wrong.yaml:9:10: error: expected a constraint: a name or an expression
// CHECK-NEXT: {{.*}}records_wrong.yaml:10:20: error: expected a type as text
// CHECK-NEXT: {{.*}}records_wrong.yaml:11:29: error: expected a text under 'summary'
// CHECK-NEXT: {{.*}}records_wrong.yaml:17:95: error: parameter 'n' does not stand here, as '$n'
// CHECK-NEXT: {{.*}}records_wrong.yaml:18:5: error: 'wrong.silent' has parameters: it needs a format
// CHECK-NEXT: {{.*}}records_wrong.yaml:19:34: error: the parameter 'n' has no type
// CHECK-NEXT: {{.*}}records_wrong.yaml:20:51: error: expected a constraint of attributes, not of types
// CHECK-NEXT: {{.*}}records_wrong.yaml:21:95: error: parameter 'm' does not stand here, as '$m'
// CHECK-NEXT: {{.*}}records_wrong.yaml:27:14: error: expected a text under 'summary'
// CHECK-NEXT: {{.*}}records_wrong.yaml:25:32: error: expected a constraint of types, not of attributes
// CHECK-NEXT: {{.*}}records_wrong.yaml:26:34: error: expected a constraint of attributes, not of types
// CHECK-NEXT: {{.*}}records_wrong.yaml:26:76: error: expected 'true' or 'false' under 'optional'
// CHECK-NEXT: {{.*}}records_wrong.yaml:29:15: error: several of these may be any number: 'wrong.sizes' needs the trait 'attr_sized_operands'
// CHECK-NEXT: {{.*}}records_wrong.yaml:30:14: error: several of these may be any number: 'wrong.sizes' needs the trait 'attr_sized_results'
// CHECK-NEXT: {{.*}}records_wrong.yaml:32:15: error: 'wrong.segments' has no attribute 'sizes'
// CHECK-NEXT: {{.*}}records_wrong.yaml:34:14: error: only the last region may be any number
// CHECK-NEXT: {{.*}}records_wrong.yaml:35:17: error: 'wrong.blocks' has successors: it needs the trait 'terminator'
// CHECK-NEXT: {{.*}}records_wrong.yaml:37:26: error: 'wrong.ends' has no region that this could end
// CHECK-NEXT: {{.*}}records_wrong.yaml:41:11: error: 'wrong.body' has a body: it needs the trait 'elementwise'
// CHECK-NEXT: {{.*}}records_wrong.yaml:46:11: error: a body is of single operands, and gives one result
// CHECK-NEXT: {{.*}}records_wrong.yaml:50:21: error: hook 'verify' is there twice
// CHECK-NEXT: {{.*}}records_wrong.yaml:49:17: error: 'wrong.names' has an interface twice
// CHECK-NEXT: {{.*}}records_wrong.yaml:49:18: error: 'view_like' is derived from a first operand, which 'wrong.names' has not
// CHECK-NEXT: {{.*}}records_wrong.yaml:49:18: error: 'view_like' is derived from a first operand, which 'wrong.names' has not
// CHECK-NEXT: {{.*}}records_wrong.yaml:48:18: error: 'two words' is no name of a value
// CHECK-NEXT: {{.*}}records_wrong.yaml:54:29: error: 'llvm.fneg' has no attribute 'fast'
// CHECK-NEXT: {{.*}}records_wrong.yaml:54:35: error: 'wrong.lowers' has no attribute 'no'
// CHECK-NEXT: {{.*}}records_wrong.yaml:57:42: error: expected a text under 'message'
// CHECK-NEXT: {{.*}}records_wrong.yaml:58:13: error: expected a text under 'format'
// CHECK-NEXT: {{.*}}records_wrong.yaml:61:7: error: a structured op has an output under 'outs'
// CHECK-NEXT: {{.*}}records_wrong.yaml:61:7: error: 'wrong.structured' has the name 'x' twice
// CHECK-NEXT: {{.*}}records_wrong.yaml:63:17: error: 'strides' is no element of an attribute of 'wrong.structured', as 'strides[0]'
// CHECK-NEXT: {{.*}}records_wrong.yaml:63:26: error: 'k[one]' is no element of an attribute of 'wrong.structured', as 'strides[0]'
// CHECK-NEXT: {{.*}}records_wrong.yaml:61:7: error: every operand needs a map over the loops
// CHECK-NEXT: {{.*}}records_wrong.yaml:68:7: error: maps are over loops, which 'iterators' lists
// CHECK-NEXT: {{.*}}records_wrong.yaml:70:5: error: 'wrong.trait' is to be structured: it needs the key 'structured'
// CHECK-NEXT: {{.*}}records_wrong.yaml:22:45: error: attribute 'mark' is there twice
