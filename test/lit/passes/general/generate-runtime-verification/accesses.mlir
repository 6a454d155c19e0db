// RUN: mlc-opt %s --generate-runtime-verification | FileCheck %s
// RUN: mlc-opt %s --generate-runtime-verification --interpret --entry=inside | FileCheck %s --check-prefix=INSIDE
// RUN: not mlc-opt %s --generate-runtime-verification --interpret --entry=outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// Each index is compared with the size of its dimension; the message shows the op.

// CHECK-LABEL: func.func @load
// CHECK-SAME: (%[[M:.*]]: memref<?x4xf32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK: %[[SIZE:.*]] = memref.dim %[[M]]
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[I]], %{{.*}} : index
// CHECK: %[[HIGH:.*]] = arith.cmpi slt, %[[I]], %[[SIZE]] : index
// CHECK: %[[FIRST:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: arith.cmpi slt, %[[J]], %[[FOUR]] : index
// CHECK: %[[ALL:.*]] = arith.andi %[[FIRST]]
// CHECK: cf.assert %[[ALL]], "ERROR: Runtime op verification failed\0A%12 = \22memref.load\22(%arg0, %arg1, %arg2) : (memref<?x4xf32>, index, index) -> f32\0A^ out-of-bounds access\0ALocation: loc(
// CHECK-NEXT: memref.load
func.func @load(%m: memref<?x4xf32>, %i: index, %j: index) -> f32 {
  %x = memref.load %m[%i, %j] : memref<?x4xf32>
  return %x : f32
}

// No index can be wrong.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: cf.assert
func.func @scalar(%m: memref<f32>) -> f32 {
  %x = memref.load %m[] : memref<f32>
  return %x : f32
}

// A buffer may hold buffers: the second operand is what is stored into.
// CHECK-LABEL: func.func @store_buffer
// CHECK-SAME: (%[[X:.*]]: memref<2xf32>, %[[M:.*]]: memref<?xmemref<2xf32>>
// CHECK: memref.dim %[[M]]
// CHECK: out-of-bounds access
// CHECK-NEXT: memref.store
func.func @store_buffer(%x: memref<2xf32>, %m: memref<?xmemref<2xf32>>, %i: index) {
  memref.store %x, %m[%i] : memref<?xmemref<2xf32>>
  return
}

// INSIDE: 2.5
func.func @inside() -> f32 {
  %i = arith.constant 3 : index
  %x = arith.constant 2.5 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %y : f32
}

// OUTSIDE: ERROR: Runtime op verification failed
// OUTSIDE: out-of-bounds access
func.func @outside() -> f32 {
  %i = arith.constant 4 : index
  %m = memref.alloc() : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %y : f32
}
