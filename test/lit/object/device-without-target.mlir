// REQUIRES: target
// RUN: not mlc compile %s -o %t.mlca 2>&1 | FileCheck %s
// Kernels for a device are compiled for those that --target names.
// CHECK: error: 'builtin.module' op has kernels for a device, but no device to compile them for
module attributes {mlc.level = "llvm", mlc.device_kernels = ["kernel"], mlc.inputs = [], mlc.outputs = []} {
  llvm.func @mlc_main(%call: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
}
