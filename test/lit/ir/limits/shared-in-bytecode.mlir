// RUN: mlc-opt %s --allow-unregistered-dialect --limit-expansion=1000000000 --emit-bytecode -o %t.mlir.bc
// RUN: mlc-opt %s --allow-unregistered-dialect --limit-expansion=1000000000 --emit-mlc-bytecode -o %t.mlc.bc
// RUN: not mlc-opt %t.mlir.bc --allow-unregistered-dialect 2>&1 | FileCheck %s
// RUN: not mlc-opt %t.mlc.bc --allow-unregistered-dialect 2>&1 | FileCheck %s
// RUN: mlc-opt %t.mlir.bc --allow-unregistered-dialect --limit-expansion=1000000000 --emit-mlc-bytecode -o %t.again.bc
// RUN: mlc-opt %t.mlc.bc --allow-unregistered-dialect --limit-expansion=1000000000 --emit-mlc-bytecode -o %t.and.again.bc
// RUN: cmp %t.again.bc %t.and.again.bc
// Some 400 bytes of values, each of two of the one before, are 100 MB where they are written out.
// CHECK: error: invalid bytecode at byte {{[0-9]+}}: what it shares takes more than the limit of {{[0-9]+}} bytes where it is written out (--limit-expansion)
#a0 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]
#a1 = [#a0, #a0]
#a2 = [#a1, #a1]
#a3 = [#a2, #a2]
#a4 = [#a3, #a3]
#a5 = [#a4, #a4]
#a6 = [#a5, #a5]
#a7 = [#a6, #a6]
#a8 = [#a7, #a7]
#a9 = [#a8, #a8]
#a10 = [#a9, #a9]
#a11 = [#a10, #a10]
#a12 = [#a11, #a11]
#a13 = [#a12, #a12]
#a14 = [#a13, #a13]
#a15 = [#a14, #a14]
#a16 = [#a15, #a15]
#a17 = [#a16, #a16]
#a18 = [#a17, #a17]
#a19 = [#a18, #a18]
#a20 = [#a19, #a19]
"test.op"() {a = #a20} : () -> ()
