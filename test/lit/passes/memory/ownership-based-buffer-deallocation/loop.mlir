// RUN: mlc-opt %s --ownership-based-buffer-deallocation | FileCheck %s
// A loop frees what the iteration before allocated, as soon as the next buffer is there; the last
// one is the function's, which returns it.
// CHECK-LABEL: func.func @newest
// CHECK-SAME: (%[[N:.*]]: index, %[[ARG:.*]]: memref<2xf32>)
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[ARG]], %[[OWNED:.*]] = %false{{.*}}) -> (memref<2xf32>, i1)
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: %[[OLD_BASE:[a-z_0-9]+]], {{.*}} = memref.extract_strided_metadata %[[OLD]]
// CHECK: %[[NEW_BASE:[a-z_0-9]+]], {{.*}} = memref.extract_strided_metadata %[[NEW]]
// CHECK: %[[D:.*]] = bufferization.dealloc (%[[OLD_BASE]], %[[NEW_BASE]] {{.*}}) if (%[[OWNED]], %true{{.*}}) retain (%[[NEW]]
// CHECK: scf.yield %[[NEW]], %[[D]]
// CHECK: %[[RETURNED:.*]] = scf.if %[[R]]#1
// CHECK-NEXT: scf.yield %[[R]]#0
// CHECK-NEXT: } else {
// CHECK-NEXT: bufferization.clone %[[R]]#0
// CHECK: bufferization.dealloc ({{.*}}) if (%false, %[[R]]#1, %true) retain (%[[RETURNED]]
// CHECK: return %[[RETURNED]]
func.func @newest(%n: index, %arg: memref<2xf32>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %arg) -> (memref<2xf32>) {
    %new = memref.alloc() : memref<2xf32>
    memref.copy %old, %new : memref<2xf32> to memref<2xf32>
    scf.yield %new : memref<2xf32>
  }
  return %last : memref<2xf32>
}

// Not only scf: the sizes of operand groups stay right.
// CHECK-LABEL: func.func @affine
// CHECK: affine.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (memref<2xf32>, i1)
// CHECK: affine.yield %{{.*}}, %{{.*}} : memref<2xf32>, i1
func.func @affine(%n: index, %arg: memref<2xf32>) {
  %last = affine.for %i = 0 to %n iter_args(%old = %arg) -> (memref<2xf32>) {
    %new = memref.alloc() : memref<2xf32>
    affine.yield %new : memref<2xf32>
  }
  return
}
