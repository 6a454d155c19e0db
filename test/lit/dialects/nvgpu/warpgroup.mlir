// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s --mlir-print-op-generic | mlc-opt | FileCheck %s
// Tiles of tensors, and products of a warpgroup.
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!tile = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
// CHECK-LABEL: func.func @tiles
func.func @tiles(%i: index, %p: i1, %s: memref<64x64xf16, 3>, %map: !map, %g: memref<*xf16>, %mask: i16, %out: memref<64x64xf32>) {
  %b = nvgpu.mbarrier.create -> !bar
  // CHECK: nvgpu.tma.prefetch.descriptor %[[M:.*]], predicate = %{{.*}} : <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
  nvgpu.tma.prefetch.descriptor %map, predicate = %p : !map
  // CHECK: nvgpu.tma.async.load %[[M]][%{{.*}}, %{{.*}}], %{{.*}}[%{{.*}}] to %[[S:.*]] multicast_mask = %{{.*}}, predicate = %{{.*}} : <{{.*}}>, <{{.*}}> -> memref<64x64xf16, 3>
  nvgpu.tma.async.load %map[%i, %i], %b[%i] to %s multicast_mask = %mask, predicate = %p : !map, !bar -> memref<64x64xf16, 3>
  // CHECK: nvgpu.tma.async.store %[[S]] to %[[M]][%{{.*}}, %{{.*}}] : memref<64x64xf16, 3>
  nvgpu.tma.async.store %s to %map[%i, %i] : memref<64x64xf16, 3> -> !map
  // CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%{{.*}}, %{{.*}}] : memref<*xf16>
  %m = nvgpu.tma.create.descriptor %g box[%i, %i] : memref<*xf16> -> !map
  // CHECK: nvgpu.warpgroup.generate.descriptor %[[S]], %[[M]]
  %d = nvgpu.warpgroup.generate.descriptor %s, %map : memref<64x64xf16, 3>, !map -> !tile
  // CHECK: nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<64x64xf32>>
  %c = nvgpu.warpgroup.mma.init.accumulator -> !acc
  // CHECK: nvgpu.warpgroup.mma %{{.*}}, %{{.*}}, %{{.*}} {transposeB}
  %r = nvgpu.warpgroup.mma %d, %d, %c {transposeB} : !tile, !tile, !acc -> !acc
  // CHECK: nvgpu.warpgroup.mma.wait %{{.*}} : <fragmented = vector<64x64xf32>>
  %w = nvgpu.warpgroup.mma.wait %r : !acc
  // CHECK: nvgpu.warpgroup.mma.store %{{.*}}, %{{.*}} : <fragmented = vector<64x64xf32>> to memref<64x64xf32>
  nvgpu.warpgroup.mma.store %w, %out : !acc to memref<64x64xf32>
  return
}
