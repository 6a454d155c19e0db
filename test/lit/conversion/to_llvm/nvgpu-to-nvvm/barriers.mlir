// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' | FileCheck %s
// Groups of barriers are globals of workgroup memory; counts and coordinates are i32, the parity of a phase too.
// Descriptions of tensors are passed by value.
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
// CHECK: gpu.module @m
// CHECK-DAG: llvm.mlir.global internal @__mbarrier() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
// CHECK-DAG: llvm.mlir.global internal @__mbarrier_0()
gpu.module @m {
  // CHECK: llvm.func @f(%[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %[[I:.*]]: i64, %[[P:.*]]: i1, %[[TILE:.*]]: !llvm.ptr<3>)
  gpu.func @f(%map: !map, %i: index, %p: i1, %tile: memref<8x32xf32, 3>) kernel {
    // CHECK: %[[A:.*]] = llvm.mlir.addressof @__mbarrier : !llvm.ptr<3>
    %b = nvgpu.mbarrier.create -> !bar
    // CHECK: llvm.mlir.addressof @__mbarrier_0 : !llvm.ptr<3>
    %other = nvgpu.mbarrier.create -> !bar
    // CHECK: %[[ONE:.*]] = llvm.getelementptr %[[A]][%[[I]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    // CHECK: nvvm.mbarrier.init.shared %[[ONE]], %{{.*}}, predicate = %[[P]]
    nvgpu.mbarrier.init %b[%i], %i, predicate = %p : !bar
    // CHECK: %[[STATE:.*]] = nvvm.mbarrier.arrive.shared %{{.*}} : !llvm.ptr<3> -> i64
    %t = nvgpu.mbarrier.arrive %b[%i] : !bar -> !nvgpu.mbarrier.token
    // CHECK: nvvm.mbarrier.arrive.nocomplete.shared
    %u = nvgpu.mbarrier.arrive.nocomplete %b[%i], %i : !bar -> !nvgpu.mbarrier.token
    // CHECK: nvvm.mbarrier.test.wait.shared %{{.*}}, %[[STATE]]
    %w = nvgpu.mbarrier.test.wait %b[%i], %t : !bar, !nvgpu.mbarrier.token
    // CHECK: nvvm.mbarrier.arrive.expect_tx.shared %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
    nvgpu.mbarrier.arrive.expect_tx %b[%i], %i : !bar
    // CHECK: nvvm.prefetch.tensormap %[[MAP]], predicate = %[[P]]
    nvgpu.tma.prefetch.descriptor %map, predicate = %p : !map
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TILE]], %[[MAP]], %{{.*}}, box[%{{.*}}, %{{.*}}] predicate = %[[P]]
    nvgpu.tma.async.load %map[%i, %i], %b[%i] to %tile, predicate = %p : !map, !bar -> memref<8x32xf32, 3>
    // CHECK: %[[PHASE:.*]] = llvm.zext %[[P]] : i1 to i32
    // CHECK: nvvm.mbarrier.try_wait.parity.shared %{{.*}}, %[[PHASE]], %{{.*}}
    nvgpu.mbarrier.try_wait.parity %b[%i], %p, %i : !bar
    // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[MAP]], %[[TILE]], box[%{{.*}}, %{{.*}}]
    nvgpu.tma.async.store %tile to %map[%i, %i] : memref<8x32xf32, 3> -> !map
    gpu.return
  }
}
