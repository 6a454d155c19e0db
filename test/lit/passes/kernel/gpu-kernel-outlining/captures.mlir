// RUN: mlc-opt %s --gpu-kernel-outlining | FileCheck %s
// RUN: mlc-opt %s --gpu-kernel-outlining=for-runtime | FileCheck %s --check-prefix=RUNTIME
// RUN: mlc-opt %s --gpu-kernel-outlining --interpret --entry fill --input zeros --input 7.0 | FileCheck %s --check-prefix=VALUES
// What a launch uses from outside becomes its kernel's arguments; constants are made again; two launches are two modules.
// CHECK: module attributes {gpu.container_module}
// CHECK: func.func @fill
// CHECK: gpu.launch_func @fill_kernel::@fill_kernel blocks in (%{{.*}}) threads in (%{{.*}}) args(%{{.*}} : f32, %{{.*}} : memref<4xf32>)
// CHECK: gpu.launch_func @fill_kernel_0::@fill_kernel
// RUNTIME: gpu.launch_func @fill_kernel_0::@fill_kernel_0
// CHECK: gpu.module @fill_kernel {
// CHECK: gpu.func @fill_kernel(%[[X:.*]]: f32, %[[OUT:.*]]: memref<4xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>}
// CHECK: gpu.thread_id x
// CHECK: memref.store %[[X]], %[[OUT]]
// CHECK: gpu.return
// CHECK: gpu.module @fill_kernel_0 {
// CHECK: gpu.func @fill_kernel(
// RUNTIME: gpu.func @fill_kernel_0(
// VALUES: dense<[7.000000e+00, 7.000000e+00, 9.000000e+00, 7.000000e+00]> : tensor<4xf32>
func.func @fill(%out: memref<4xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %nine = arith.constant 9.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    memref.store %x, %out[%tx] : memref<4xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %nine, %out[%c2] : memref<4xf32>
    gpu.terminator
  }
  return
}
