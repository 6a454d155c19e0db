// RUN: not mlc-opt --load-dialect=%S/Inputs/wrong.yaml %s 2>&1 | FileCheck %s
// Every fault of a dialect's file is reported at its place.
// CHECK: wrong.yaml:7:11: error: a cost is a number from 1 to 255
// CHECK: wrong.yaml:4:32: error: no constraint, type, attribute or enum is named 'nothing'
// CHECK: wrong.yaml:6:13: error: unknown hook 'flod'
// CHECK: wrong.yaml:5:13: error: in the format of 'wrong.a': offset
