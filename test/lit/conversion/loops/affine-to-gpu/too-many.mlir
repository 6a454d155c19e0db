// RUN: not mlc-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=4}))' 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu{gpu-thread-dims=4}))' 2>&1 | FileCheck %s --check-prefix=THREAD
// BLOCK: cannot map to more than 3 block dimensions
// THREAD: cannot map to more than 3 thread dimensions
func.func @f() {
  affine.for %i = 0 to 8 {
  }
  return
}
