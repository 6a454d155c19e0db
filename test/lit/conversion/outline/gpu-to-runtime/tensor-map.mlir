// RUN: mlc-opt %s --parallel-to-runtime --gpu-to-runtime | FileCheck %s
// A tensor is described ahead of the launch that takes it, into memory that is aligned for that: type 6 (f16), swizzle 3, fill 0, rank 2,
// then sizes, bytes and the tile, the contiguous dimension first. The kernel has it by value: its place is the argument's.
!map = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_256b, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @kernel(%map: !map) kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @f(
  // CHECK-SAME: %[[CALL:.*]]: !llvm.ptr, %[[D:.*]]: memref<256x192xf16, #gpu.address_space<global>>
  func.func @f(%d: memref<256x192xf16, #gpu.address_space<global>>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    // CHECK: %[[MAP:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 64 : i64}
    // CHECK-NOT: nvgpu.tma.create.descriptor
    // CHECK: llvm.mlir.constant(6 : i64)
    // CHECK: llvm.mlir.constant(192 : i64)
    // CHECK: llvm.mlir.constant(256 : i64)
    // CHECK: llvm.mlir.constant(384 : i64)
    // CHECK: %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[D]]
    // CHECK: llvm.call %{{.*}}(%[[CALL]], %[[MAP]], %[[ADDRESS]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    // CHECK: llvm.store %[[MAP]], %{{.*}} : !llvm.ptr, !llvm.ptr
    %any = memref.cast %d : memref<256x192xf16, #gpu.address_space<global>> to memref<*xf16, #gpu.address_space<global>>
    %map = nvgpu.tma.create.descriptor %any box[%c128, %c64] : memref<*xf16, #gpu.address_space<global>> -> !map
    gpu.launch_func @device::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !map)
    return
  }
}
