// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A cast that gives a loop two sizes fails when it runs: it is not looked through, others are.
// CHECK-LABEL: func.func @two_sizes
// CHECK: %[[CAST:.*]] = memref.cast %arg1 : memref<4xf32> to memref<?xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<3xf32>) outs(%[[CAST]] : memref<?xf32>)
func.func @two_sizes(%a: memref<3xf32>, %b: memref<4xf32>) {
  %x = memref.cast %a : memref<3xf32> to memref<?xf32>
  %y = memref.cast %b : memref<4xf32> to memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return
}
// CHECK-LABEL: func.func @one_size
// CHECK-NOT: memref.cast
// CHECK: return
func.func @one_size(%a: memref<3xf32>, %b: memref<3xf32>) {
  %x = memref.cast %a : memref<3xf32> to memref<?xf32>
  %y = memref.cast %b : memref<3xf32> to memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return
}
