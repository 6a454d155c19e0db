// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-nesting=3 2>&1 | FileCheck %s --check-prefix=NESTING
// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-rank=2 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-operands=1 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-integer-width=100 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-constant=100 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not mlc-opt %s --allow-unregistered-dialect --limit-file-size=100 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: mlc-opt %s --allow-unregistered-dialect
// Each limit on what a text may ask has a flag, which its message names.
// NESTING: error: nested deeper than the limit of 3 (--limit-nesting)
// RANK: error: rank 3 is above the limit of 2 (--limit-rank)
// OPERANDS: (--limit-operands)
// WIDTH: error: integer bitwidth is limited to 100 bits
// CONSTANT: error: 2 elements of 128 bytes each are above the limit of 100 bytes (--limit-constant)
// FILE: error: the text has {{[0-9]+}} bytes, the limit is 100 (--limit-file-size)
%0:2 = "test.op"() {a = [[[[[1]]]]]} : () -> (tensor<2x3x4xi32>, i32)
"test.op"() {a = dense<[1, 2]> : tensor<2xi1024>} : () -> ()
