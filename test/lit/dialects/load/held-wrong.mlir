// RUN: not mlc-opt --load-dialect=%S/Inputs/held_wrong.yaml %s 2>&1 | FileCheck %s
// RUN: not mlc-opt --load-dialect=%S/Inputs/held_unread.yaml %s 2>&1 | FileCheck %s --check-prefix=UNREAD
// CHECK: held_wrong.yaml:8:17: error: 'wrong.box' has no parameter 'elements'
// CHECK: held_wrong.yaml:8:37: error: parameter 'count' of 'wrong.box' is no type
// UNREAD: held_unread.yaml:8:17: error: in relation: expected a parameter's name at ''
