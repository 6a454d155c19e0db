// REQUIRES: mlc-opt, mlc-translate, not
// What goes beyond --max-memory, --max-ops or --max-seconds is told with its pass, and nothing is written.
// RUN: rm -f %t.out
// RUN: not mlc-opt %s --affine-loop-unroll=unroll-full --max-ops=5000 -o %t.out 2>&1 | FileCheck --check-prefix=OPS %s
// OPS: {{.*}}quota.mlir: error: pass 'affine-loop-unroll' went beyond the limit on ops made, 5000 (--max-ops)
// RUN: not mlc-opt %s --affine-loop-unroll=unroll-full --max-memory=4MiB -o %t.out 2>&1 | FileCheck --check-prefix=MEMORY %s
// MEMORY: {{.*}}quota.mlir: error: pass 'affine-loop-unroll' went beyond the limit on memory, 4 MiB (--max-memory)
// RUN: not mlc-opt %s --affine-loop-unroll=unroll-full --max-seconds=0.001 -o %t.out 2>&1 | FileCheck --check-prefix=SECONDS %s
// SECONDS: went beyond the limit on time, 0.001 s (--max-seconds)
// RUN: not ls %t.out

// By one thread of several, and where no pass is at work.
// RUN: not mlc-opt %s --pass-pipeline="builtin.module(func.func(affine-loop-unroll{unroll-full}))" --threads=3 --max-ops=5000 2>&1 | FileCheck --check-prefix=THREADS %s
// THREADS: {{.*}}quota.mlir:[[# @LINE + 21]]:1: error: pass 'affine-loop-unroll' went beyond the limit on ops made, 5000 (--max-ops)
// RUN: not mlc-opt %s --max-ops=3 2>&1 | FileCheck --check-prefix=READING %s
// READING: {{.*}}quota.mlir:1:1: error: reading went beyond the limit on ops made, 3 (--max-ops)
// RUN: not mlc-translate --export-llvmir %s --max-ops=3 2>&1 | FileCheck --check-prefix=READING %s

// RUN: mlc-opt %s --max-memory=1GiB --max-ops=1000000 --max-seconds=1000 | FileCheck %s
// CHECK: func.func @small

// RUN: not mlc-opt %s --max-memory=1GB 2>&1 | FileCheck --check-prefix=WRONG-MEMORY %s
// WRONG-MEMORY: mlc-opt: option '--max-memory' expects a size such as 512MiB or 2GiB, got '1GB'
// RUN: not mlc-opt %s --max-memory=9999999999TiB 2>&1 | FileCheck --check-prefix=HUGE-MEMORY %s
// HUGE-MEMORY: mlc-opt: option '--max-memory' expects a size such as 512MiB or 2GiB, got '9999999999TiB'
// RUN: not mlc-opt %s --max-seconds=soon 2>&1 | FileCheck --check-prefix=WRONG-SECONDS %s
// WRONG-SECONDS: mlc-opt: option '--max-seconds' expects a time such as 10 or 0.5, got 'soon'
// RUN: not mlc-opt %s --max-ops=-1 2>&1 | FileCheck --check-prefix=WRONG-OPS %s
// WRONG-OPS: mlc-opt: option '--max-ops' expects a number that is not negative, got -1

func.func @small(%m: memref<80000xf32>) {
  return
}

func.func @big(%m: memref<80000xf32>, %x: f32) {
  affine.for %i = 0 to 80000 {
    affine.store %x, %m[%i] : memref<80000xf32>
  }
  return
}
