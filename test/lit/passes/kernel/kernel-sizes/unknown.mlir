// RUN: not mlc-opt %s --kernel-sizes 2>&1 | FileCheck %s
// CHECK: 'func.func' op is not supported: size 0 of argument 0 is not known
func.func private @kernel_0(%x: memref<?x4xf32> {mlc.dims = ["n", ""]}) {
  return
}
