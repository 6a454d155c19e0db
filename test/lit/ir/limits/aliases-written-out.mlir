// RUN: not mlc-opt %s --allow-unregistered-dialect 2>&1 | FileCheck %s
// RUN: mlc-opt %s --allow-unregistered-dialect --limit-expansion=1000000000 | FileCheck %s --check-prefix=ALLOWED
// Each alias stands for two of the one before: what they would take, written out, is counted as they are read.
// CHECK: [[#@LINE+22]]:{{[0-9]+}}: error: aliases written out take more than the limit of {{[0-9]+}} bytes (--limit-expansion)
// ALLOWED: "test.op"
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
"test.op"() : () -> ()
