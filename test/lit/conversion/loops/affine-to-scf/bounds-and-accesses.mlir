// RUN: mlc-opt %s --lower-affine | FileCheck %s
// Bounds with several results are minima and maxima; maps of indices become arithmetic.
// CHECK-LABEL: func.func @tail
// CHECK: arith.minsi
// CHECK: scf.for
// CHECK: arith.muli
// CHECK: arith.addi
// CHECK: memref.load
// CHECK-NOT: affine
func.func @tail(%m: memref<?xf32>, %n: index, %o: memref<64xf32>) {
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 64)>(%n) {
    %v = affine.load %m[%i * 2 + 1] : memref<?xf32>
    affine.store %v, %o[%i] : memref<64xf32>
  }
  return
}

// Division rounds down, also for negative numbers: run on both sides of 0.
// CHECK-LABEL: func.func @halves
// CHECK: arith.divsi
// CHECK: arith.select
func.func @halves(%i: index) -> index {
  %h = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
  return %h : index
}
