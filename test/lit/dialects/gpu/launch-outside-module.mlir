// RUN: mlc-opt %s --no-implicit-module --verify-diagnostics
func.func @f(%c: index) {
  // expected-error@+1 {{'gpu.launch_func' op expected to belong to a module}}
  gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
  return
}
