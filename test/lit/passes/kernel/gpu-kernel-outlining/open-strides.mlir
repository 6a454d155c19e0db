// RUN: mlc-opt %s --gpu-kernel-outlining=for-runtime --canonicalize | FileCheck %s
// An argument is an address: what has strides that a run knows is made inside, of its first element and of sizes, and views of it
// are made there again. Of static strides, buffers are arguments as they are.
// CHECK-LABEL: func.func @f(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [], strides: [] : memref<?x?xf32> to memref<f32>
// CHECK: gpu.func @f_kernel(%arg0: index, %arg1: memref<f32>, %arg2: index, %arg3: memref<?x8xf32>, %arg4: index)
// CHECK: memref.reinterpret_cast %arg1 to offset: [0], sizes: [%arg2, %arg0], strides: [%arg0, 1] : memref<f32> to memref<?x?xf32>
// CHECK: memref.subview %{{.*}} : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1]>>
func.func @f(%n: index, %m: index, %plain: memref<?x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  %v = memref.subview %a[0, 0] [2, 2] [1, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1]>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %y = memref.load %plain[%n, %tx] : memref<?x8xf32>
    memref.store %y, %v[%tx, %c0] : memref<2x2xf32, strided<[?, 1]>>
    gpu.terminator
  }
  return
}
