// REQUIRES: mlc-opt, not
// RUN: not mlc-opt %s --mlir-debug-counter=pass-execution-skip=x 2>&1 | FileCheck --check-prefix=COUNTER %s
// RUN: not mlc-opt %s --mlir-debug-counter=pass-execution-skip=00000000000000000000000000000000000000000000000000000000000000000001 2>&1 | FileCheck --check-prefix=COUNTER %s
// COUNTER: mlc-opt: malformed debug counter 'pass-execution-skip=
// RUN: not mlc-opt %s --log-actions-to=%t.none/log 2>&1 | FileCheck --check-prefix=LOG %s
// LOG: mlc-opt: cannot write '{{.*}}.none/log'
// RUN: not mlc-opt %s --split-input-file= 2>&1 | FileCheck --check-prefix=SPLIT %s
// SPLIT: mlc-opt: option '--split-input-file' got an empty marker
// RUN: not mlc-opt %s --mlir-timing-display=flat 2>&1 | FileCheck --check-prefix=TIMING %s
// TIMING: mlc-opt: option '--mlir-timing-display' expects list or tree, got 'flat'
// RUN: not mlc-opt %s --mlir-pass-statistics-display=flat 2>&1 | FileCheck --check-prefix=STATISTICS %s
// STATISTICS: mlc-opt: option '--mlir-pass-statistics-display' expects list or pipeline, got 'flat'
// RUN: not mlc-opt %s --threads=1025 2>&1 | FileCheck --check-prefix=THREADS %s
// THREADS: mlc-opt: option '--threads' expects a number from 0 to 1024
// RUN: not mlc-opt %s %s 2>&1 | FileCheck --check-prefix=FILES %s
// FILES: mlc-opt: only one input file at a time, got '{{.*}}mlc-opt-usage.mlir' too
// RUN: not mlc-opt %s --run-reproducer 2>&1 | FileCheck --check-prefix=REPRODUCER %s
// REPRODUCER: mlc-opt: --run-reproducer: the input has no pipeline under external_resources.mlir_reproducer
// RUN: mlc-opt %s --dump-pass-pipeline --cse 2>&1 | FileCheck --check-prefix=DUMP %s
// DUMP: Pass Manager with 1 passes:
// DUMP-NEXT: builtin.module(cse)
