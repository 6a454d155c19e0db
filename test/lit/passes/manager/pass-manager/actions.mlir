// RUN: mlc-opt %s --canonicalize --log-actions-to=%t.log -o %t && FileCheck --check-prefix=LOG %s < %t.log
// RUN: mlc-opt %s --canonicalize --cse --mlir-debug-counter=pass-execution-skip=1,pass-execution-count=1 --mlir-print-debug-counter 2>&1 | FileCheck --check-prefix=SKIP %s
// RUN: mlc-opt %s --canonicalize --profile-actions-to=%t.json -o %t && FileCheck --check-prefix=JSON %s < %t.json
// RUN: not mlc-opt %s --mlir-debug-counter=no-such-skip=1 2>&1 | FileCheck --check-prefix=BAD %s

// LOG: begins `pass-execution` `canonicalize` on 'builtin.module'
// LOG: begins `greedy-iteration` 1 on 'builtin.module'
// LOG: completed `pass-execution` `canonicalize`
// The first of two passes is skipped.
// SKIP: addi %arg0, %c0
// SKIP: pass-execution {{ *}}: {2,1,1}
// JSON: [{"name": "pass-execution", "cat": "PERF", "ph": "B"
// JSON: {"name": "pass-execution", "cat": "PERF", "ph": "E"{{.*}}}]
// BAD: no such debug counter: 'no-such-skip=1'

func.func @plus_nothing(%a: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %a, %c0 : i32
  return %0 : i32
}
