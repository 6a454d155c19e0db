// RUN: mlc-opt %s --buffer-deallocation-simplification | FileCheck %s
// Arguments may be one buffer: whether %n is freed through %m is not known before it runs, unless
// %n is owned anyway.
// CHECK-LABEL: func.func @may_be_one
// CHECK-NEXT: %[[D:.*]]:2 = bufferization.dealloc (%arg0 : memref<2xi32>) if (%arg1) retain (%arg0, %arg2
// CHECK-NEXT: return %[[D]]#0, %[[D]]#1
func.func @may_be_one(%m: memref<2xi32>, %c: i1, %n: memref<2xi32>) -> (i1, i1) {
  %0:2 = bufferization.dealloc (%m : memref<2xi32>) if (%c) retain (%m, %n : memref<2xi32>, memref<2xi32>)
  return %0#0, %0#1 : i1, i1
}
// CHECK-LABEL: func.func @owned_anyway
// CHECK: bufferization.dealloc (%arg2 : memref<2xi32>) if (%true) retain (%arg0, %arg1
// CHECK-NEXT: return %true, %true
func.func @owned_anyway(%m: memref<2xi32>, %n: memref<2xi32>, %o: memref<2xi32>) -> (i1, i1) {
  %yes = arith.constant true
  %0:2 = bufferization.dealloc (%m, %n, %o : memref<2xi32>, memref<2xi32>, memref<2xi32>) if (%yes, %yes, %yes) retain (%m, %n : memref<2xi32>, memref<2xi32>)
  return %0#0, %0#1 : i1, i1
}
