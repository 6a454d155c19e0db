// RUN: mlc-opt %s --scf-forall-to-for | FileCheck %s --check-prefix=FOR
// RUN: mlc-opt %s --scf-forall-to-parallel | FileCheck %s --check-prefix=PARALLEL
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-forall-to-for --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-forall-to-parallel --interpret --entry run | FileCheck %s --check-prefix=EVAL
// FOR-LABEL: func.func @fill
// FOR: scf.for %[[I:.*]] = %c1{{.*}} to %c4{{.*}} step %c2{{.*}} {
// FOR-NEXT: scf.for %[[J:.*]] = %arg1 to %c4{{.*}} step %arg1 {
// FOR-NEXT: memref.store %[[I]], %arg0[%[[I]], %[[J]]]
// PARALLEL-LABEL: func.func @fill
// PARALLEL: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c1{{.*}}, %arg1) to (%c4{{.*}}, %c4{{.*}}) step (%c2{{.*}}, %arg1) {
// PARALLEL-NEXT: memref.store %[[I]], %arg0[%[[I]], %[[J]]]
func.func @fill(%m: memref<4x4xindex>, %n: index) {
  scf.forall (%i, %j) = (1, %n) to (4, 4) step (2, %n) {
    memref.store %i, %m[%i, %j] : memref<4x4xindex>
  }
  return
}
// Slices that come together as a result have no such loop.
// FOR-LABEL: func.func @tensors
// FOR: scf.forall
// PARALLEL-LABEL: func.func @tensors
// PARALLEL: scf.forall
func.func @tensors(%t: tensor<4xindex>) -> tensor<4xindex> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xindex> {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xindex> to tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xindex> into tensor<4xindex>
    }
  }
  return %r : tensor<4xindex>
}
// EVAL{LITERAL}: dense<[[0, 0, 0, 0], [0, 1, 1, 1], [0, 0, 0, 0], [0, 3, 3, 3]]>
func.func @run() -> memref<4x4xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x4xindex>
  linalg.fill ins(%c0 : index) outs(%m : memref<4x4xindex>)
  func.call @fill(%m, %c1) : (memref<4x4xindex>, index) -> ()
  return %m : memref<4x4xindex>
}
