// RUN: not mlc-opt --check-dialect %S/Inputs/signatures_wrong.yaml 2>&1 | FileCheck %s
// RUN: not mlc-opt --check-dialect %S/Inputs/signatures_parts.yaml 2>&1 | FileCheck %s --check-prefix=PART
// Mistakes in what regions take and yield.
// CHECK: signatures_wrong.yaml:6:34: error: expected a list of types
// CHECK: signatures_wrong.yaml:9:35: error: in relation: expected an operand, result or attribute at 'y)'
// CHECK: signatures_wrong.yaml:9:57: error: in relation: expected the end at 'y'
// CHECK: signatures_wrong.yaml:9:62: error: in relation: expected one type, not a comparison, at 'x, x)'
// CHECK: signatures_wrong.yaml:11:34: error: by a trait the regions of 'sig.no_arguments' have no arguments
// CHECK: signatures_wrong.yaml:14:36: error: by a trait the regions of 'sig.no_terminator' have no terminator
// CHECK: signatures_wrong.yaml:18:35: error: a region's types are not repeated
// CHECK: signatures_wrong.yaml:20:18: error: this interface is what the regions' 'args' and 'yields' say
// PART: signatures_parts.yaml:7:35: error: 'sig.box' has no parameter 'inside'
// PART: signatures_parts.yaml:7:55: error: parameter 'size' of 'sig.box' is no type
