// RUN: mlc-opt %s --convert-linalg-to-gpu | FileCheck %s
// An op that reads the sums at another point stays behind; so its buffer is written.
#map = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @transposed
// CHECK: %[[SUMS:.*]] = memref.alloc
// CHECK: gpu.launch
// CHECK: memref.store %{{.*}}, %[[SUMS]]
// CHECK: gpu.terminator
// CHECK: linalg.generic
func.func @transposed(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#turned, #map], iterator_types = ["parallel", "parallel"]}
    ins(%sums : memref<64x64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// Sums that are added to what is there.
// CHECK-LABEL: func.func @added
// CHECK-SAME: %[[C:[^:]*]]: memref<64x64xf32>)
// CHECK: gpu.launch
// CHECK: %[[OLD:.*]] = memref.load %[[C]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: memref.store %[[NEW]], %[[C]]
func.func @added(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// A plain schedule is for the passes that come later.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: gpu.launch
// CHECK: linalg.matmul ins
func.func @plain(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = plain>} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// What follows writes a factor, which other blocks still read: it stays behind.
// CHECK-LABEL: func.func @overwritten
// CHECK: gpu.launch
// CHECK: gpu.terminator
// CHECK: linalg.generic
func.func @overwritten(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
    ins(%sums : memref<64x64xf32>) outs(%a : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}
