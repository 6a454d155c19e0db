// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --fold-memref-alias-ops | FileCheck %s --check-prefix=FOLD
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --raise-scf-to-affine | FileCheck %s --check-prefix=RAISE
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --raise-scf-to-affine --lower-affine | FileCheck %s --check-prefix=LOWER
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --raise-scf-to-affine --affine-parallelize | FileCheck %s --check-prefix=PARALLEL
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --affine-scalrep | FileCheck %s --check-prefix=SCALREP
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --mem2reg | FileCheck %s --check-prefix=PROMOTE
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --sroa | FileCheck %s --check-prefix=SPLIT
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --scf-parallel-loop-fusion | FileCheck %s --check-prefix=FUSE
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --generate-runtime-verification | FileCheck %s --check-prefix=CHECK
// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --canonicalize | FileCheck %s --check-prefix=DEAD
// Passes know an access of memory by its record, whatever dialect it is of.

// FOLD-LABEL: func.func @window
// FOLD-SAME: %[[M:.*]]: memref<16x8xf32>, %[[I:.*]]: index
// FOLD: %[[J:.*]] = affine.apply
// FOLD: cells.peek %[[M]] at %[[J]], %{{.*}} : memref<16x8xf32> -> f32
func.func @window(%m: memref<16x8xf32>, %i: index) -> f32 {
  %v = memref.subview %m[2, 0] [8, 8] [1, 1] : memref<16x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 16>>
  %0 = cells.peek %v at %i, %i : memref<8x8xf32, strided<[8, 1], offset: 16>> -> f32
  return %0 : f32
}

// Attributes of both go along, and twins lead back to what was.
// RAISE-DAG: #[[SAME:.*]] = affine_map<(d0) -> (d0)>
// RAISE-DAG: #[[NEXT:.*]] = affine_map<(d0) -> (d0 + 1)>
// RAISE-LABEL: func.func @copy
// RAISE: affine.for %[[I:.*]] = 0 to 15
// RAISE: %[[X:.*]] = cells.peek_through %{{.*}} at %[[I]] by #[[SAME]] : memref<16xf32> -> f32
// RAISE: cells.poke_through %[[X]] to %{{.*}} at %[[I]] by #[[NEXT]] note "next" : f32 to memref<16xf32>
// LOWER-LABEL: func.func @copy
// LOWER: scf.for %[[I:.*]] =
// LOWER: cells.peek %{{.*}} at %[[I]] : memref<16xf32> -> f32
// LOWER: arith.addi
// LOWER: cells.poke %{{.*}} to %{{.*}} at %{{.*}} note "next" : f32 to memref<16xf32>
// PARALLEL-LABEL: func.func @copy
// PARALLEL: affine.parallel
func.func @copy(%from: memref<16xf32>, %to: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %c15 step %c1 {
    %x = cells.peek %from at %i : memref<16xf32> -> f32
    %j = arith.addi %i, %c1 : index
    cells.poke %x to %to at %j note "next" : f32 to memref<16xf32>
  }
  return
}

// What one iteration writes the next one reads.
// PARALLEL-LABEL: func.func @carried
// PARALLEL-NOT: affine.parallel
// PARALLEL: return
func.func @carried(%m: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %c15 step %c1 {
    %x = cells.peek %m at %i : memref<16xf32> -> f32
    %j = arith.addi %i, %c1 : index
    cells.poke %x to %m at %j : f32 to memref<16xf32>
  }
  return
}

// SCALREP-LABEL: func.func @stored
// SCALREP-SAME: %[[X:.*]]: f32
// SCALREP-NOT: cells.peek_through
// SCALREP: return %[[X]] : f32
func.func @stored(%x: f32, %m: memref<16xf32>, %i: index) -> f32 {
  cells.poke_through %x to %m at %i by affine_map<(d0) -> (d0 + 1)> : f32 to memref<16xf32>
  %0 = cells.peek_through %m at %i by affine_map<(d0) -> (d0 + 1)> : memref<16xf32> -> f32
  return %0 : f32
}

// PROMOTE-LABEL: func.func @slot
// PROMOTE-SAME: %[[X:.*]]: f32
// PROMOTE-NOT: cells
// PROMOTE: return %[[X]] : f32
func.func @slot(%x: f32) -> f32 {
  %m = memref.alloca() : memref<f32>
  cells.poke %x to %m at : f32 to memref<f32>
  %0 = cells.peek %m at : memref<f32> -> f32
  return %0 : f32
}

// SPLIT-LABEL: func.func @parts
// SPLIT: %[[PART:.*]] = memref.alloca() : memref<f32>
// SPLIT: cells.poke %{{.*}} to %[[PART]] at : f32 to memref<f32>
// SPLIT: cells.peek %[[PART]] at : memref<f32> -> f32
func.func @parts(%x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xf32>
  cells.poke %x to %m at %c1 : f32 to memref<2xf32>
  %0 = cells.peek %m at %c1 : memref<2xf32> -> f32
  return %0 : f32
}

// FUSE-LABEL: func.func @neighbours
// FUSE: scf.parallel
// FUSE-NOT: scf.parallel
// FUSE: return
func.func @neighbours(%a: memref<16xf32>, %b: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = cells.peek %a at %i : memref<16xf32> -> f32
    cells.poke %x to %b at %i : f32 to memref<16xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = cells.peek %b at %i : memref<16xf32> -> f32
    cells.poke %x to %a at %i : f32 to memref<16xf32>
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @checked
// CHECK: cf.assert %{{.*}}, "{{.*}}out-of-bounds access
// CHECK: cells.peek
// An unused read goes, a write stays: effects follow from the access.
// DEAD-LABEL: func.func @checked
// DEAD-NOT: cells.peek
// DEAD: cells.poke
func.func @checked(%m: memref<16xf32>, %i: index, %x: f32) {
  %0 = cells.peek %m at %i : memref<16xf32> -> f32
  cells.poke %x to %m at %i : f32 to memref<16xf32>
  return
}
