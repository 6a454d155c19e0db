// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' --canonicalize --cse | FileCheck %s
// Descriptors are addresses in units of 16 bytes, and how far apart blocks (LBO) and groups of eight rows (SBO, 64) are. A product is a
// fence, instructions for each 64 rows and each 32 bytes of the depth, a group, and a wait; behind the last one the sums are new values.
!map_a = !nvgpu.tensormap.descriptor<tensor = memref<128x64xbf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!map_b = !nvgpu.tensormap.descriptor<tensor = memref<1x64x64xbf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!a = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xbf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x16xbf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x16xf32>>
gpu.module @m {
  // CHECK-LABEL: llvm.func @f(
  gpu.func @f(%map_a: !map_a, %map_b: !map_b, %tile_a: memref<128x64xbf16, 3>, %tile_b: memref<64x16xbf16, 3>, %out: memref<128x16xf32>) kernel {
    // CHECK-DAG: %[[LOW:.*]] = llvm.mlir.constant(16383 : i32)
    // CHECK-DAG: %[[REST_A:.*]] = llvm.mlir.constant(4611686293372403712 : index)
    // CHECK-DAG: %[[REST_B:.*]] = llvm.mlir.constant(4611686293338849280 : index)
    // CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(2 : index)
    // CHECK-DAG: %[[ROWS_STEP:.*]] = llvm.mlir.constant(128 : index)
    // CHECK-DAG: %[[ROWS:.*]] = llvm.mlir.constant(512 : index)
    // CHECK: %[[P:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
    // CHECK: %[[Q:.*]] = llvm.lshr %[[P]], %{{.*}} : i32
    // CHECK: %[[R:.*]] = llvm.and %[[Q]], %[[LOW]] : i32
    // CHECK: %[[S:.*]] = llvm.zext %[[R]] : i32 to i64
    // CHECK: %[[A:.*]] = llvm.or %[[S]], %[[REST_A]] : i64
    %a = nvgpu.warpgroup.generate.descriptor %tile_a, %map_a : memref<128x64xbf16, 3>, !map_a -> !a
    // CHECK: %[[B:.*]] = llvm.or %{{.*}}, %[[REST_B]] : i64
    %b = nvgpu.warpgroup.generate.descriptor %tile_b, %map_b : memref<64x16xbf16, 3>, !map_b -> !b
    // CHECK-COUNT-2: llvm.inline_asm has_side_effects asm_dialect = att "", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
    %c = nvgpu.warpgroup.mma.init.accumulator -> !acc
    // CHECK: nvvm.wgmma.fence.aligned
    // CHECK: %[[M0:.*]] = nvvm.wgmma.mma_async %[[A]], %[[B]], %{{.*}}, <m = 64, n = 16, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
    // CHECK-DAG: %[[A1:.*]] = llvm.add %[[A]], %[[STEP]] : i64
    // CHECK-DAG: %[[B1:.*]] = llvm.add %[[B]], %[[ROWS_STEP]] : i64
    // CHECK: nvvm.wgmma.mma_async %[[A1]], %[[B1]], %[[M0]]
    // CHECK-COUNT-2: nvvm.wgmma.mma_async
    // CHECK: %[[NEXT:.*]] = llvm.add %[[A]], %[[ROWS]] : i64
    // CHECK: nvvm.wgmma.mma_async %[[NEXT]], %[[B]]
    // CHECK-COUNT-3: nvvm.wgmma.mma_async
    // CHECK-NOT: nvvm.wgmma.mma_async
    // CHECK: nvvm.wgmma.commit.group.sync.aligned
    // CHECK: nvvm.wgmma.wait.group.sync.aligned 1
    %d = nvgpu.warpgroup.mma %a, %b, %c {transposeB} : !a, !b, !acc -> !acc
    // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
    // CHECK-COUNT-2: llvm.inline_asm has_side_effects asm_dialect = att "", "=f,=f
    %e = nvgpu.warpgroup.mma.wait %d : !acc
    // CHECK: nvvm.read.ptx.sreg.tid.x
    // CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
    // CHECK-NOT: llvm.store
    nvgpu.warpgroup.mma.store %e, %out : !acc to memref<128x16xf32>
    gpu.return
  }
}
