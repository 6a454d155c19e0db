// RUN: not mlc-opt --load-dialect=%S/Inputs/relations_wrong.yaml %s 2>&1 | FileCheck %s
// Relations, constraints and traits that contradict each other, one of each op.
// CHECK: relations_wrong.yaml:20:26: error: this cannot be: no type meets it, the constraints and what stands before
// CHECK: relations_wrong.yaml:24:26: error: this cannot be: no type meets it, the constraints and what stands before
// CHECK: relations_wrong.yaml:31:17: error: this cannot be: the type must be 32-bit float, and f64 is not
// CHECK: relations_wrong.yaml:12:13: error: this cannot be: no type is what all of them must be that the traits make the same
// CHECK: relations_wrong.yaml:8:17: error: this cannot be: no type meets it, the constraints and what stands before
// CHECK: relations_wrong.yaml:5:28: error: this cannot be: no type meets it, the constraints and what stands before
// CHECK: relations_wrong.yaml:16:17: error: this cannot be: no type meets it, the constraints and what stands before
// CHECK-NOT: error:
