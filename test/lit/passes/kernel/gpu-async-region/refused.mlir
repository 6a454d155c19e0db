// RUN: mlc-opt %s --gpu-async-region --verify-diagnostics
func.func @f(%n: index) {
  // expected-error@+1 {{replace with gpu.launch_func first}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}
