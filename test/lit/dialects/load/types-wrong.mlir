// RUN: not mlc-opt --load-dialect=%S/Inputs/types_wrong.yaml %s 2>&1 | FileCheck %s
// A relation gives a type that the constraint refuses.
// CHECK: types_wrong.yaml:5:17: error: this cannot be: the type must be 32-bit float, and f64 is not
