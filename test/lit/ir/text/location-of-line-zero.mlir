// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// CHECK: generated:0:0: error: 'arith.constant' op failed to verify that all of {value, result} have same type
%x = "arith.constant"() {value = 100} : () -> i1 loc("generated":0:0)
