// RUN: mlc-opt %s --buffer-deallocation-simplification | FileCheck %s
// RUN: mlc-opt %s --buffer-deallocation-simplification --buffer-deallocation-simplification | FileCheck %s
// A buffer that is retained is not freed: whoever retains it owns it if it would have been.
// CHECK-LABEL: func.func @retained
// CHECK-NEXT: %[[D:.*]] = bufferization.dealloc (%arg2 : memref<2xi32>) if (%arg1) retain (%arg0 : memref<2xi32>)
// CHECK-NEXT: %[[OWNED:.*]] = arith.ori %[[D]], %arg1
// CHECK-NEXT: return %[[OWNED]]
func.func @retained(%m: memref<2xi32>, %c: i1, %n: memref<2xi32>) -> i1 {
  %0 = bufferization.dealloc (%m, %n : memref<2xi32>, memref<2xi32>) if (%c, %c) retain (%m : memref<2xi32>)
  return %0 : i1
}
// A buffer is freed once, though there are two views of it.
// CHECK-LABEL: func.func @views
// CHECK-NEXT: %[[OR:.*]] = arith.ori %arg1, %arg2
// CHECK-NEXT: bufferization.dealloc (%arg0 : memref<2xi32>) if (%[[OR]])
func.func @views(%m: memref<2xi32>, %c: i1, %d: i1) {
  %view = memref.subview %m[0] [1] [1] : memref<2xi32> to memref<1xi32>
  bufferization.dealloc (%m, %view : memref<2xi32>, memref<1xi32>) if (%c, %d)
  return
}
// The new buffer of an iteration is none of those before it.
// CHECK-LABEL: func.func @newest
// CHECK: %[[OLD:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK-NEXT: bufferization.dealloc (%[[OLD]] : memref<f32>) if (%{{.*}})
// CHECK-NEXT: scf.yield %{{.*}}, %true
func.func @newest(%n: index, %arg: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %no = arith.constant false
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %arg, %owned = %no) -> (memref<2xf32>, i1) {
    %new = memref.alloc() : memref<2xf32>
    memref.copy %old, %new : memref<2xf32> to memref<2xf32>
    %base, %offset, %size, %stride = memref.extract_strided_metadata %old : memref<2xf32> -> memref<f32>, index, index, index
    %d = bufferization.dealloc (%base, %new : memref<f32>, memref<2xf32>) if (%owned, %yes) retain (%new : memref<2xf32>)
    scf.yield %new, %d : memref<2xf32>, i1
  }
  bufferization.dealloc (%r#0 : memref<2xf32>) if (%r#1)
  return
}
// Each of two buffers that are not one is freed by itself; what is selected may be either.
// CHECK-LABEL: func.func @selected
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[S:.*]] = arith.select
// CHECK-NEXT: %[[DX:.*]] = bufferization.dealloc (%[[X]] : memref<2xi32>) if (%arg0) retain (%[[S]] : memref<2xi32>)
// CHECK-NEXT: %[[DY:.*]] = bufferization.dealloc (%[[Y]] : memref<2xi32>) if (%arg0) retain (%[[S]] : memref<2xi32>)
// CHECK-NEXT: %[[OR:.*]] = arith.ori %[[DX]], %[[DY]]
// CHECK-NEXT: return %[[OR]], %false, %[[S]]
func.func @selected(%c: i1, %arg: memref<2xi32>) -> (i1, i1, memref<2xi32>) {
  %x = memref.alloc() : memref<2xi32>
  %y = memref.alloc() : memref<2xi32>
  %s = arith.select %c, %x, %y : memref<2xi32>
  %0:2 = bufferization.dealloc (%x, %y : memref<2xi32>, memref<2xi32>) if (%c, %c) retain (%s, %arg : memref<2xi32>, memref<2xi32>)
  return %0#0, %0#1, %s : i1, i1, memref<2xi32>
}
