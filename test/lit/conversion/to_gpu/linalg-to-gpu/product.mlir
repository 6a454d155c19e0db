// RUN: mlc-opt %s --convert-linalg-to-gpu --canonicalize --cse | FileCheck %s
// A product with what fills its result and what follows it is one launch, without the buffer between.
#map = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf16>, %[[B:.*]]: memref<64x64xf16>, %[[BIAS:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64x64xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c2, %{{.*}} = %c4, %{{.*}} = %c1) threads({{.*}}) in (%{{.*}} = %c64,
// CHECK: gpu.dynamic_shared_memory
// CHECK-COUNT-2: memref.view
// CHECK: nvgpu.device_async_copy
// CHECK: scf.for
// CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 0 : i32}
// CHECK-NEXT: gpu.barrier
// CHECK: nvgpu.device_async_create_group
// CHECK: nvgpu.ldmatrix {{.*}} transpose = false
// CHECK: nvgpu.ldmatrix {{.*}} transpose = true
// CHECK: nvgpu.mma.sync
// CHECK: scf.yield
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[BIASED:.*]] = arith.addf
// CHECK: arith.maximumf %[[BIASED]]
// CHECK: memref.store %{{.*}}, %[[OUT]]
func.func @kernel(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %bias: memref<64xf32>, %out: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = mma, tile = [16, 32, 32], warps = [1, 2], stages = 2>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#map, #column, #map], iterator_types = ["parallel", "parallel"]}
    ins(%sums, %bias : memref<64x64xf32>, memref<64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}
