// RUN: not mlc-opt --load-dialect=%S/Inputs/constants_wrong.yaml %s 2>&1 | FileCheck %s
// Ops that folded values become are there, and hold a value.
// CHECK: constants_wrong.yaml:3:15: error: there is no op 'wrong.number'
// CHECK: constants_wrong.yaml:3:29: error: 'wrong.plain' is not constant_like, with an attribute 'value' and one result
// CHECK: constants_wrong.yaml:3:42: error: 'arith.addi' is not constant_like
// CHECK: constants_wrong.yaml:3:54: error: there is no op 'arith.nothing'
// CHECK: constants_wrong.yaml:3:69: error: there is no op 'nowhere.constant'
// CHECK: constants_wrong.yaml:3:87: error: there is no op ''
// CHECK: constants_wrong.yaml:3:91: error: 'wrong.two' is not constant_like
// RUN: not mlc-opt --load-dialect=%S/Inputs/constants_apart.yaml %s 2>&1 | FileCheck %s --check-prefix=APART
// APART-NOT: apart.here
// APART: constants_apart.yaml:1:84: error: there is no op 'apart.none'
