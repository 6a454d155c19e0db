// REQUIRES: mlc-opt
// RUN: mlc-opt %s --model-abi | FileCheck %s
// Calls that share a kernel have its notes with the names of their own nodes.
// CHECK: mlc.kernels = [{name = "kernel_0", nodes = ["conv1", "relu1"], notes = ["layout nhwc", "conv1: by Winograd's F(4, 3)", "relu1: tiles of 4 in 8"]},
// CHECK-SAME: {name = "kernel_0", nodes = ["conv2", "relu2"], notes = ["layout nhwc", "conv2: by Winograd's F(4, 3)", "relu2: tiles of 4 in 8"]}]
module attributes {mlc.inputs = [], mlc.outputs = []} {
  llvm.func @main(%call: !llvm.ptr, %arena: !llvm.ptr, %constants: !llvm.ptr, %prepared: !llvm.ptr) {
    llvm.call @kernel_0(%call) : (!llvm.ptr) -> () loc(fused["conv1", "relu1"])
    llvm.call @kernel_0(%call) : (!llvm.ptr) -> () loc(fused["conv2", "relu2"])
    llvm.return
  }
  llvm.func @kernel_0(%call: !llvm.ptr) attributes {mlc.notes = ["layout nhwc", "conv1: by Winograd's F(4, 3)", "relu1: tiles of 4 in 8"], sym_visibility = "private"} {
    llvm.return
  } loc(fused["conv1", "relu1"])
}
