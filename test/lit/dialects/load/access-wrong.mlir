// RUN: not mlc-opt --load-dialect=%S/Inputs/access_wrong.yaml %s 2>&1 | FileCheck %s
// An access names operands, results and attributes of the op, each of the kind that it must be.
// CHECK: access_wrong.yaml:6:13: error: expected a mapping that describes the access
// CHECK: access_wrong.yaml:8:13: error: the access has no 'memref'
// CHECK: access_wrong.yaml:8:13: error: the access has no 'indices'
// CHECK: access_wrong.yaml:10:14: error: unknown key 'with' of access
// CHECK: access_wrong.yaml:15:22: error: 'r' is no operand of 'wrong.names'
// CHECK: access_wrong.yaml:15:34: error: 'a' is no operand of 'wrong.names'
// CHECK: access_wrong.yaml:15:44: error: 'a' is no operand or result of 'wrong.names'
// CHECK: access_wrong.yaml:15:53: error: 'a' is no operand of 'wrong.names'
// CHECK: access_wrong.yaml:15:61: error: 'm' is no attribute of 'wrong.names'
// CHECK: access_wrong.yaml:15:77: error: 'i' is no attribute of 'wrong.names'
// CHECK: access_wrong.yaml:15:91: error: 'none' is no attribute of 'wrong.names'
// CHECK: access_wrong.yaml:26:22: error: 'memref' of an access is one operand
// CHECK: access_wrong.yaml:26:34: error: 'indices' of an access is any number of operands
// CHECK: access_wrong.yaml:26:44: error: 'value' of an access is one operand or result
// CHECK: access_wrong.yaml:26:53: error: 'mask' of an access is one operand
// CHECK: access_wrong.yaml:26:61: error: 'map' of an access is an affine map that is always there
// CHECK: access_wrong.yaml:26:82: error: 'permutation' of an access is an affine map that is always there
// CHECK: access_wrong.yaml:26:101: error: 'in_bounds' of an access is an array that is always there
// CHECK: access_wrong.yaml:29:22: error: expected a name under 'memref'
// CHECK: access_wrong.yaml:29:45: error: expected a name under 'twin'
// CHECK: access_wrong.yaml:34:18: error: this interface is what the key 'access' says
// CHECK: access_wrong.yaml:34:26: error: 'slot_use' is derived from 'access', which is not there
// CHECK: access_wrong.yaml:32:43: error: there is no op 'wrong.nowhere'
