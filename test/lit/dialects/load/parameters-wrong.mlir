// RUN: not mlc-opt --load-dialect=%S/Inputs/parameters_wrong.yaml %s 2>&1 | FileCheck %s
// CHECK: parameters_wrong.yaml:10:60: error: '3 :: i64' is no attribute: found trailing characters: ':: i64'
// CHECK: parameters_wrong.yaml:8:34: error: 'wrong.box' has 2 parameters, and here are 1
// CHECK: parameters_wrong.yaml:9:36: error: 'wrong.tag' has 1 parameters, and here are 2
