// RUN: mlc-opt %s --allow-unregistered-dialect --emit-bytecode -o %t.mlir.bc
// RUN: mlc-opt %s --allow-unregistered-dialect --emit-mlc-bytecode -o %t.mlc.bc
// RUN: not mlc-opt %t.mlir.bc --allow-unregistered-dialect --limit-nesting=5 2>&1 | FileCheck %s
// RUN: not mlc-opt %t.mlc.bc --allow-unregistered-dialect --limit-nesting=5 2>&1 | FileCheck %s
// RUN: mlc-opt %t.mlir.bc --allow-unregistered-dialect --limit-nesting=10 | FileCheck --check-prefix=DEEP %s
// Each value holds the one before, which was read already: none of them is deep to read.
// CHECK: error: invalid bytecode at byte {{[0-9]+}}: nested deeper than the limit of 5 (--limit-nesting)
// DEEP: {a = {{\[\[\[\[\[\[}}1
"test.op"() {a = [1]} : () -> ()
"test.op"() {a = [[1]]} : () -> ()
"test.op"() {a = [[[1]]]} : () -> ()
"test.op"() {a = [[[[1]]]]} : () -> ()
"test.op"() {a = [[[[[1]]]]]} : () -> ()
"test.op"() {a = [[[[[[1]]]]]]} : () -> ()
