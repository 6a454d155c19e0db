// RUN: mlc-opt %s --pass-pipeline='gpu-host-kernels{kernels="main,none"}' --verify-diagnostics
// expected-error @+2 {{has no kernel 'main' that could stay on the CPU}}
// expected-error @+1 {{has no kernel 'none' that could stay on the CPU}}
module {
  func.func @main(%a: memref<f32>) {
    return
  }
}
