// RUN: mlc-opt %s --convert-linalg-to-affine-loops | FileCheck %s
// RUN: mlc-opt %s --convert-linalg-to-affine-loops --affine-parallelize --lower-affine --convert-scf-to-cf --convert-to-llvm | FileCheck %s --check-prefix=LLVM
// What lies alike in both buffers is copied whole; runs shorter than 64 bytes element by element.
// CHECK-LABEL: func.func @rows
// CHECK: affine.for %[[I:.*]] = 0 to 4
// CHECK-NOT: affine.for
// CHECK: %[[FROM:.*]] = memref.subview %arg0[%[[I]], 0] [1, 32] [1, 1]
// CHECK: %[[TO:.*]] = memref.subview %arg1[%[[I]], 0] [1, 32] [1, 1]
// CHECK: memref.copy %[[FROM]], %[[TO]]
// LLVM-LABEL: llvm.func @rows
// LLVM: llvm.mlir.constant(128 : index)
// LLVM: llvm.intr.memcpy
func.func @rows(%from: memref<4x32xf32, strided<[96, 1], offset: 32>>, %to: memref<4x32xf32>) {
  memref.copy %from, %to : memref<4x32xf32, strided<[96, 1], offset: 32>> to memref<4x32xf32>
  return
}
// A window that is one run is no loop.
// CHECK-LABEL: func.func @one_run
// CHECK-NOT: affine.for
// CHECK: memref.copy
// LLVM-LABEL: llvm.func @one_run
// LLVM: llvm.intr.memcpy
func.func @one_run(%from: memref<1x4x8xf32, strided<[320, 8, 1], offset: 64>>, %to: memref<1x4x8xf32>) {
  memref.copy %from, %to : memref<1x4x8xf32, strided<[320, 8, 1], offset: 64>> to memref<1x4x8xf32>
  return
}
// CHECK-LABEL: func.func @short
// CHECK-COUNT-2: affine.for
// CHECK: affine.load
// CHECK: affine.store
func.func @short(%from: memref<4x8xf32, strided<[96, 1]>>, %to: memref<4x8xf32>) {
  memref.copy %from, %to : memref<4x8xf32, strided<[96, 1]>> to memref<4x8xf32>
  return
}
// CHECK-LABEL: func.func @turned
// CHECK-COUNT-2: affine.for
// CHECK: affine.load
func.func @turned(%from: memref<32x32xf32, strided<[1, 32]>>, %to: memref<32x32xf32>) {
  memref.copy %from, %to : memref<32x32xf32, strided<[1, 32]>> to memref<32x32xf32>
  return
}
