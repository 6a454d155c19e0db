// REQUIRES: mlc-opt, not
// RUN: mlc-opt %root/examples/linear_relu/linear_relu.mlir --cpu-pipeline | FileCheck %s
// RUN: not mlc-opt %s --model-abi 2>&1 | FileCheck %s --check-prefix=ERROR
// The entry point reads the call record and brackets each kernel with the profile hooks.
// CHECK: mlc.inputs = [{name = "input_0", type = tensor<1x3072xf32>}, {name = "input_1", type = tensor<200x3072xf32>}]
// CHECK-SAME: mlc.kernels = [{bytes = 2470688 : i64, flops = 1229000 : i64, name = "kernel_0"
// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.call @kernel_0(
// CHECK-LABEL: llvm.func @mlc_main(%{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.call @main(
// ERROR: error: 'builtin.module' op has no llvm.func '@main' to make an entry point for
func.func private @nothing()
