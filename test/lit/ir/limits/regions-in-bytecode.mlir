// RUN: mlc-opt %s --allow-unregistered-dialect --emit-bytecode -o %t.mlir.bc
// RUN: mlc-opt %s --allow-unregistered-dialect --emit-mlc-bytecode -o %t.mlc.bc
// RUN: not mlc-opt %t.mlir.bc --allow-unregistered-dialect --limit-nesting=3 2>&1 | FileCheck %s
// RUN: not mlc-opt %t.mlc.bc --allow-unregistered-dialect --limit-nesting=3 2>&1 | FileCheck %s
// CHECK: error: invalid bytecode at byte {{[0-9]+}}: nested deeper than the limit of 3 (--limit-nesting)
"test.op"() ({
  "test.op"() ({
    "test.op"() ({
      "test.op"() ({
      }) : () -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()
