// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// The module looks at its launches before kernel and launch have been verified.
// CHECK: error: 'gpu.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type
module attributes {gpu.container_module} {
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() ({
      gpu.return
    }) {function_type = 1 : i32, gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @f(%i: index) {
    gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i)
    return
  }
}
