// RUN: mlc-opt %s --plan-memory | FileCheck %s
// A buffer lives as long as the last use of a view of it: the second one gets bytes of its own.
// CHECK: func.func @main(%{{.*}}: memref<128xi8>
func.func @main(%x: memref<4x4xf32> {mlc.name = "x"}, %y: memref<16xf32> {mlc.name = "y", mlc.result}) {
  %a = memref.alloc() : memref<4x4xf32>
  call @fill(%x, %a) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @step(%flat, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  call @step(%b, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
func.func private @fill(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  memref.copy %in, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}
func.func private @step(%in: memref<16xf32>, %out: memref<16xf32>) {
  memref.copy %in, %out : memref<16xf32> to memref<16xf32>
  return
}
