// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// Copies that fill a buffer part by part are one op, and so one launch, with what follows point by point.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @parts
// CHECK-SAME: %[[A:.*]]: memref<3x8xf32>, %[[B:.*]]: memref<1x8xf32>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} outs({{.*}}) attrs = {mlc.schedule = #gpu.schedule<kind = points, warps = [256, 1]>}
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.cmpi ult, %[[I]], %{{.*}} : index
// CHECK: scf.if
// CHECK: memref.load %[[A]][%[[I]], %{{.*}}]
// CHECK: else
// CHECK: %[[J:.*]] = arith.subi %[[I]], %{{.*}} : index
// CHECK: memref.load %[[B]][%[[J]], %{{.*}}]
// CHECK: linalg.generic
// CHECK-NOT: mlc.schedule
// CHECK: return
func.func @parts(%a: memref<3x8xf32>, %b: memref<1x8xf32>, %out: memref<4x8xf32>) {
  %all = memref.alloc() : memref<4x8xf32>
  %first = memref.subview %all[0, 0] [3, 8] [1, 1] : memref<4x8xf32> to memref<3x8xf32, strided<[8, 1]>>
  memref.copy %a, %first : memref<3x8xf32> to memref<3x8xf32, strided<[8, 1]>>
  %last = memref.subview %all[3, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  memref.copy %b, %last : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%all : memref<4x8xf32>) outs(%out : memref<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.negf %x : f32
    linalg.yield %t : f32
  }
  return
}

// A window is left as it was: the copies stay.
// CHECK-LABEL: func.func @gap
// CHECK-COUNT-2: memref.copy
func.func @gap(%a: memref<2x8xf32>, %b: memref<1x8xf32>, %all: memref<4x8xf32>) {
  %first = memref.subview %all[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  memref.copy %a, %first : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  %last = memref.subview %all[3, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  memref.copy %b, %last : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  return
}

// The second part is of what the first one changes.
// CHECK-LABEL: func.func @own
// CHECK-COUNT-2: memref.copy
func.func @own(%a: memref<2x8xf32>, %all: memref<4x8xf32>) {
  %first = memref.subview %all[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  memref.copy %a, %first : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  %last = memref.subview %all[2, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 16>>
  memref.copy %first, %last : memref<2x8xf32, strided<[8, 1]>> to memref<2x8xf32, strided<[8, 1], offset: 16>>
  return
}

// Nobody reads the flat views any more: they are gone, so that the buffer is seen to be the launch's own.
// CHECK-LABEL: func.func @flat
// CHECK-NOT: memref.collapse_shape
// CHECK: linalg.generic
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @flat(%a: memref<3x8xf32>, %b: memref<1x8xf32>, %out: memref<4x8xf32>) {
  %all = memref.alloc() : memref<4x8xf32>
  %first = memref.subview %all[0, 0] [3, 8] [1, 1] : memref<4x8xf32> to memref<3x8xf32, strided<[8, 1]>>
  memref.copy %a, %first : memref<3x8xf32> to memref<3x8xf32, strided<[8, 1]>>
  %last = memref.subview %all[3, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  memref.copy %b, %last : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  %from = memref.collapse_shape %all [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %to = memref.collapse_shape %out [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%from : memref<32xf32>) outs(%to : memref<32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.negf %x : f32
    linalg.yield %t : f32
  }
  return
}
