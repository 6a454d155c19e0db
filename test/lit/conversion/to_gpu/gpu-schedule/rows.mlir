// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// A reduction along rows, with what is before and behind it on the same rows: the schedule stands on the first of them.
#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @short
func.func @short(%a: memref<64x200xf32>, %out: memref<64x200xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64xf32>
  // CHECK: linalg.fill {mlc.schedule = #gpu.schedule<kind = rows, warps = [4, 1]>}
  linalg.fill ins(%zero : f32) outs(%sums : memref<64xf32>)
  // CHECK-NOT: mlc.schedule
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<64x200xf32>) outs(%sums : memref<64xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
    ins(%a, %sums : memref<64x200xf32>, memref<64xf32>) outs(%out : memref<64x200xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %t = arith.divf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// Longer rows have more warps.
// CHECK-LABEL: func.func @long
func.func @long(%a: memref<8x4096xf32>, %sums: memref<8xf32>) {
  // CHECK: linalg.reduce {{.*}} {mlc.schedule = #gpu.schedule<kind = rows, warps = [1, 16]>}
  linalg.reduce {arith.addf} ins(%a : memref<8x4096xf32>) outs(%sums : memref<8xf32>) dimensions = [1]
  return
}

// A copy, and a number in a buffer, are no reason for a kernel more.
// CHECK-LABEL: func.func @between
// CHECK-SAME: %[[A:[^,]*]]: memref<64x200xf32>, %[[OUT:.*]]: memref<64xf32>
// CHECK: %[[SCALE:.*]] = arith.constant 2.0
// CHECK-NOT: memref.alloc() : memref<f32>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SCALE]] : memref<64xf32>, f32)
func.func @between(%a: memref<64x200xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %scale = memref.alloc() : memref<f32>
  linalg.fill ins(%two : f32) outs(%scale : memref<f32>)
  %zeros = memref.alloc() : memref<64xf32>
  %sums = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%zeros : memref<64xf32>)
  memref.copy %zeros, %sums : memref<64xf32> to memref<64xf32>
  linalg.reduce {arith.addf} ins(%a : memref<64x200xf32>) outs(%sums : memref<64xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%sums, %scale : memref<64xf32>, memref<f32>) outs(%out : memref<64xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %t = arith.mulf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// A copy from a window is made by many threads, too.
// CHECK-LABEL: func.func @window
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<2x64xf32, strided<[64, 1], offset: 64>>) outs(%{{.*}} : memref<2x64xf32>)
func.func @window(%a: memref<6x64xf32>, %out: memref<2x64xf32>) {
  %window = memref.subview %a[1, 0] [2, 64] [1, 1] : memref<6x64xf32> to memref<2x64xf32, strided<[64, 1], offset: 64>>
  memref.copy %window, %out : memref<2x64xf32, strided<[64, 1], offset: 64>> to memref<2x64xf32>
  return
}
