// RUN: mlc-opt %s --scf-for-loop-specialization --scf-parallel-loop-specialization | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-loop-specialization --scf-parallel-loop-specialization --interpret --entry run | FileCheck %s --check-prefix=EVAL
// A tile is usually whole: then its loop has constant bounds.
// CHECK-LABEL: func.func @tiles
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[SIZE]], %[[C32]]
// CHECK: %[[R:.*]] = scf.if %[[WHOLE]] -> (index) {
// CHECK: %[[A:.*]] = scf.for %{{.*}} = %{{.*}} to %[[C32]] step
// CHECK: scf.yield %[[A]]
// CHECK: } else {
// CHECK: %[[B:.*]] = scf.for %{{.*}} = %{{.*}} to %[[SIZE]] step
// CHECK: scf.yield %[[B]]
// CHECK: scf.if
// CHECK: scf.parallel {{.*}} to (%{{.*}}, %{{.*}})
// CHECK: } else {
// CHECK: scf.parallel
// CHECK: return %[[R]]
func.func @tiles(%n: index, %o: index, %m: memref<64x64xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = affine.min affine_map<(d0, d1) -> (64, d0 - d1, 32)>(%n, %o)
  %other = affine.min affine_map<(d0) -> (d0, 4)>(%n)
  %r = scf.for %i = %c0 to %size step %c1 iter_args(%s = %c0) -> index {
    %0 = arith.addi %s, %i : index
    scf.yield %0 : index
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%size, %other) step (%c1, %c1) {
    memref.store %r, %m[%i, %j] : memref<64x64xindex>
  }
  return %r : index
}
// A bound that is not such a minimum.
// CHECK-LABEL: func.func @left
// CHECK-NOT: scf.if
func.func @left(%n: index, %o: index, %m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = affine.min affine_map<(d0, d1) -> (d0, d1)>(%n, %o)
  scf.for %i = %c0 to %size step %c1 {
    memref.store %i, %m[%i] : memref<64xindex>
  }
  return
}
// EVAL: 496 : index
// EVAL-NEXT: 45 : index
func.func @run() -> (index, index) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c40 = arith.constant 40 : index
  %m = memref.alloc() : memref<64x64xindex>
  %0 = func.call @tiles(%c40, %c0, %m) : (index, index, memref<64x64xindex>) -> index
  %1 = func.call @tiles(%c10, %c0, %m) : (index, index, memref<64x64xindex>) -> index
  return %0, %1 : index, index
}
