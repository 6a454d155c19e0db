// RUN: mlc-opt %s --gpu-place-kernels --verify-diagnostics
// A launch has no form on the CPU, so what keeps a kernel there is an error once the kernel has one.
func.func private @kernel_0(%a: memref<8xf32>, %ok: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %u, %v) in (%bx = %c1, %by = %c1, %bz = %c1) {
    memref.store %x, %a[%c0] : memref<8xf32>
    gpu.terminator
  }
  // expected-error @+1 {{a kernel that has launches must run on the device: it may fail}}
  cf.assert %ok, "index out of range"
  return
}
