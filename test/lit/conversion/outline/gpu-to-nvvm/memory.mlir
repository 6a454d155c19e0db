// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' | FileCheck %s
// Workgroup memory is a global of space 3, private memory the stack's, dynamic memory a global without a size.
// CHECK: gpu.module @m
// CHECK-DAG: llvm.mlir.global internal @__wg_f_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
// CHECK-DAG: llvm.mlir.global external @__dynamic_shmem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
gpu.module @m {
  // CHECK: llvm.func @f(%[[A:.*]]: !llvm.ptr)
  gpu.func @f(%a: memref<32xf32>) workgroup(%w: memref<4x8xf32, #gpu.address_space<workgroup>>)
      private(%p: memref<2xf32, #gpu.address_space<private>>) kernel {
    // CHECK-DAG: %[[P:.*]] = llvm.alloca %{{.*}} x f32 : (i64) -> !llvm.ptr
    // CHECK-DAG: %[[W:.*]] = llvm.mlir.addressof @__wg_f_0 : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    // CHECK: %[[D:.*]] = llvm.mlir.addressof @__dynamic_shmem : !llvm.ptr<3>
    %x = memref.load %a[%c0] : memref<32xf32>
    // CHECK: llvm.store %{{.*}}, %[[W]] {{.*}} : f32, !llvm.ptr<3>
    memref.store %x, %w[%c0, %c0] : memref<4x8xf32, #gpu.address_space<workgroup>>
    // CHECK: llvm.store %{{.*}}, %[[P]] {{.*}} : f32, !llvm.ptr
    memref.store %x, %p[%c0] : memref<2xf32, #gpu.address_space<private>>
    // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
    memref.store %x, %v[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
