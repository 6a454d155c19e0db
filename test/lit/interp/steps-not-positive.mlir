// RUN: not mlc-opt %s --interpret --entry affine_for 2>&1 | FileCheck %s --check-prefix=FOR
// RUN: not mlc-opt %s --interpret --entry affine_parallel 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: not mlc-opt %s --interpret --entry scf_for --input 0 2>&1 | FileCheck %s --check-prefix=SCF
// RUN: not mlc-opt %s --interpret --entry scf_parallel --input 0 2>&1 | FileCheck %s --check-prefix=BAND
// RUN: mlc-opt %s --canonicalize --affine-parallelize --affine-loop-tile --affine-loop-unroll=unroll-full --affine-loop-normalize -o /dev/null
// RUN: mlc-opt %s --kernel-costs --affine-scalrep --affine-prefetch --affine-loop-invariant-code-motion -o /dev/null
// Such loops may be written, and would never end: the interpreter says so, and passes leave them.
// FOR: error: 'affine.for' op has a step of 0
func.func @affine_for() {
  affine.for %i = 0 to 8 step 0 {
  }
  return
}
// PARALLEL: error: 'affine.parallel' op has a step of 0
func.func @affine_parallel() {
  affine.parallel (%i) = (0) to (8) step (0) {
  }
  return
}
// SCF: error: 'scf.for' op has a step of 0
func.func @scf_for(%step: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %step {
  }
  return
}
// BAND: error: 'scf.parallel' op has a step of 0
func.func @scf_parallel(%step: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%step) {
  }
  return
}
