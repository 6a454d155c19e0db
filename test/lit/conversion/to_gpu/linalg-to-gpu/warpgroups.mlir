// RUN: mlc-opt %s --convert-linalg-to-gpu --split-input-file --verify-diagnostics | FileCheck %s
// One thread fills a ring of slots by bulk copies; warpgroups multiply, a step behind release the slot, and put the sums into the same
// memory when all is done.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: memref<256x200xbf16>, %[[B:.*]]: memref<200x512xbf16>
func.func @product(%a: memref<256x200xbf16>, %b: memref<200x512xbf16>, %c: memref<256x512xf32>) {
  // CHECK: %[[VIEW_A:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [256, 200], strides: [200, 1]
  // CHECK: %[[ANY_A:.*]] = memref.cast %[[VIEW_A]]
  // CHECK: %[[MAP_A:.*]] = nvgpu.tma.create.descriptor %[[ANY_A]] box[%c128{{.*}}, %c64{{.*}}] : memref<*xbf16> -> <tensor = memref<128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b,
  // CHECK: %[[MAP_B:.*]] = nvgpu.tma.create.descriptor %{{.*}} box[%c64{{.*}}, %c64{{.*}}] : memref<*xbf16> -> <tensor = memref<64x64xbf16,
  // CHECK: gpu.launch blocks
  // CHECK-SAME: threads(%[[T:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c384
  // CHECK: %[[FULL:.*]] = nvgpu.mbarrier.create
  // CHECK: %[[EMPTY:.*]] = nvgpu.mbarrier.create
  // CHECK: nvgpu.mbarrier.init %[[FULL]][%{{.*}}], %c1{{.*}}, predicate
  // CHECK: nvgpu.mbarrier.init %[[EMPTY]][%{{.*}}], %c8{{.*}}, predicate
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: gpu.barrier
  // CHECK: scf.if
  // CHECK: nvvm.setmaxregister increase 232
  // CHECK: %[[ZERO:.*]] = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<64x256xf32>>
  // CHECK: %[[LOOP:.*]]:4 = scf.for
  // CHECK: nvgpu.mbarrier.try_wait.parity %[[FULL]]
  // CHECK: nvgpu.warpgroup.generate.descriptor %{{.*}}, %[[MAP_A]] : memref<64x64xbf16,
  // CHECK: nvgpu.warpgroup.generate.descriptor %{{.*}}, %[[MAP_B]] : memref<64x256xbf16,
  // CHECK: nvgpu.warpgroup.mma %{{.*}} {transposeB, waitGroup = 1 : i32}
  // CHECK: scf.if
  // CHECK: nvgpu.mbarrier.arrive %[[EMPTY]]
  // CHECK: %[[SUMS:.*]] = nvgpu.warpgroup.mma.wait %[[LOOP]]#0
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c256
  // CHECK: nvgpu.warpgroup.mma.store %[[SUMS]], %{{.*}} {mlc.aligned}
  // CHECK: nvvm.barrier id
  // CHECK: } else {
  // CHECK: nvvm.setmaxregister decrease 40
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK: nvgpu.mbarrier.try_wait.parity %[[EMPTY]]
  // CHECK: nvgpu.mbarrier.arrive.expect_tx %[[FULL]][%{{.*}}], %c49152
  // CHECK: nvgpu.tma.async.load %[[MAP_A]][
  // CHECK-COUNT-4: nvgpu.tma.async.load %[[MAP_B]][
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = wgmma, tile = [128, 256, 64], warps = [8, 1], stages = 4>}
    ins(%a, %b : memref<256x200xbf16>, memref<200x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

func.func @shallow(%a: memref<256x200xbf16>, %b: memref<200x512xbf16>, %c: memref<256x512xf32>) {
  // expected-error @+1 {{its schedule does not fit its element types, how its factors lie, or what a block has}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = wgmma, tile = [128, 256, 32], warps = [8, 1], stages = 4>}
    ins(%a, %b : memref<256x200xbf16>, memref<200x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

func.func @odd(%a: memref<256x201xbf16>, %b: memref<201x512xbf16>, %c: memref<256x512xf32>) {
  // expected-error @+1 {{its schedule does not fit its element types, how its factors lie, or what a block has}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = wgmma, tile = [128, 256, 64], warps = [8, 1], stages = 4>}
    ins(%a, %b : memref<256x201xbf16>, memref<201x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}
