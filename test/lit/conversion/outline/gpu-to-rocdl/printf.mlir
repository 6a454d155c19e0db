// RUN: mlc-opt %s --convert-gpu-to-rocdl=runtime=HIP | FileCheck %s --check-prefix=HIP
// RUN: mlc-opt %s --convert-gpu-to-rocdl=runtime=OpenCL | FileCheck %s --check-prefix=CL
// RUN: mlc-opt %s --convert-gpu-to-nvvm | FileCheck %s --check-prefix=CUDA
// RUN: not mlc-opt %s --convert-gpu-to-rocdl 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlc-opt %s --convert-gpu-to-rocdl=runtime=Metal 2>&1 | FileCheck %s --check-prefix=METAL
// RUN: not mlc-opt %s --convert-gpu-to-rocdl=index-bitwidth=7 2>&1 | FileCheck %s --check-prefix=BITS
// NONE: failed to legalize operation 'gpu.printf'
// METAL: runtime must be unknown, HIP or OpenCL
// BITS: index-bitwidth must be 0, 32 or 64
gpu.module @m {
  // CUDA-DAG: llvm.mlir.global internal constant @printfFormat_0("%d %f\0A\00") {addr_space = 0 : i32}
  // CUDA: llvm.func @f
  // CUDA: %[[TEXT:.*]] = llvm.getelementptr %{{.*}}[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i8>
  // CUDA: %[[WIDE:.*]] = llvm.fpext %{{.*}} : f32 to f64
  // CUDA: %[[ARGS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, f64)>
  // CUDA: llvm.call @vprintf(%[[TEXT]], %[[ARGS]]) : (!llvm.ptr, !llvm.ptr) -> i32
  // HIP: %[[M0:.*]] = llvm.call @__ockl_printf_begin(
  // HIP: %[[M1:.*]] = llvm.call @__ockl_printf_append_string_n(%[[M0]], %{{.*}}, %{{.*}}, %{{.*}})
  // HIP: llvm.zext %{{.*}} : i32 to i64
  // HIP: llvm.bitcast %{{.*}} : f64 to i64
  // HIP: llvm.call @__ockl_printf_append_args(%[[M1]],
  // CL: llvm.func @printf(!llvm.ptr<4>, ...) -> i32
  // CL: llvm.call @printf(%{{.*}}, %{{.*}}, %{{.*}}) vararg(!llvm.func<i32 (ptr<4>, ...)>) : (!llvm.ptr<4>, i32, f32) -> i32
  gpu.func @f(%i: i32, %x: f32) {
    gpu.printf "%d %f\n" %i, %x : i32, f32
    // Beyond seven values there is a second message.
    // HIP: llvm.call @__ockl_printf_append_string_n(
    // HIP-COUNT-2: llvm.call @__ockl_printf_append_args(
    gpu.printf "%d" %i, %i, %i, %i, %i, %i, %i, %i : i32, i32, i32, i32, i32, i32, i32, i32
    gpu.return
  }
}
