// RUN: mlc-opt %s --gpu-check-host-access --verify-diagnostics
// Device memory is read and written by launches and by copies of the gpu dialect alone.
func.func @f(%d: memref<4xf32, #gpu.address_space<global>>, %h: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{the host reads device memory: only launches and copies may}}
  %v = memref.load %d[%c0] : memref<4xf32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @+1 {{the host writes device memory: only launches and copies may}}
    memref.store %x, %d[%i] : memref<4xf32, #gpu.address_space<global>>
  }
  gpu.memcpy %d, %h : memref<4xf32, #gpu.address_space<global>>, memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %d[%tx] : memref<4xf32, #gpu.address_space<global>>
    gpu.terminator
  }
  return
}
