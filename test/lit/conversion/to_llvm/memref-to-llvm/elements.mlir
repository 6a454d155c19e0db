// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s
// RUN: mlc-opt %s --convert-to-llvm=bare-pointers | FileCheck %s --check-prefix=BARE
// Elements that are vectors or memrefs themselves have a size and an alignment, too.
// CHECK-LABEL: llvm.func @vectors
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.mlir.constant(32 : index)
// CHECK: llvm.intr.memcpy
// BARE-LABEL: llvm.func @vectors
// BARE: llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
func.func @vectors(%a: memref<2xvector<4xf32>>, %b: memref<2xvector<4xf32>>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<2xvector<4xf32>>
  memref.copy %a, %b : memref<2xvector<4xf32>> to memref<2xvector<4xf32>>
  return %v : vector<4xf32>
}

// CHECK-LABEL: llvm.func @memrefs
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64)>
// BARE-LABEL: llvm.func @memrefs
// BARE: llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
func.func @memrefs(%a: memref<memref<f32>>) -> memref<f32> {
  %m = memref.load %a[] : memref<memref<f32>>
  return %m : memref<f32>
}
