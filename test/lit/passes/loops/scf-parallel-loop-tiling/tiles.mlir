// RUN: mlc-opt %s --scf-parallel-loop-tiling=parallel-loop-tile-sizes=4,3 -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --scf-parallel-loop-tiling='parallel-loop-tile-sizes=4,3 no-min-max-bounds' | FileCheck %s --check-prefix=INSIDE
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-parallel-loop-tiling=parallel-loop-tile-sizes=4,3 --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-parallel-loop-tiling='parallel-loop-tile-sizes=4,3 no-min-max-bounds' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Eight iterations are two tiles of four; five, a tile of three and a part of one.
// CHECK-LABEL: func.func @fill
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = {{.*}} step (%[[T0:.*]], %[[T1:.*]]) {
// CHECK: %[[END:.*]] = affine.min affine_map<(d0, d1, d2) -> (d0, d1 - d2)>(%[[T1]], %{{.*}}, %[[J]])
// CHECK: scf.parallel (%[[K:.*]], %[[L:.*]]) = (%[[C0:.*]], %[[C0]]) to (%[[T0]], %[[END]])
// CHECK: %[[X:.*]] = arith.addi %[[K]], %[[I]]
// CHECK: %[[Y:.*]] = arith.addi %[[L]], %[[J]]
// CHECK: memref.store %{{.*}}, %arg0[%[[X]], %[[Y]]]
// INSIDE-LABEL: func.func @fill
// INSIDE-NOT: affine.min
// INSIDE: scf.if
func.func @fill(%m: memref<16x5xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c5) step (%c2, %c1) {
    %0 = arith.addi %i, %j : index
    memref.store %0, %m[%i, %j] : memref<16x5xindex>
  }
  return
}
// EVAL: 360
func.func @run() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %m = memref.alloc() : memref<16x5xindex>
  linalg.fill ins(%c0 : index) outs(%m : memref<16x5xindex>)
  func.call @fill(%m) : (memref<16x5xindex>) -> ()
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%v = %c0) -> index {
    %s = scf.for %j = %c0 to %c5 step %c1 iter_args(%w = %v) -> index {
      %0 = memref.load %m[%i, %j] : memref<16x5xindex>
      %1 = arith.addi %w, %0 : index
      scf.yield %1 : index
    }
    scf.yield %s : index
  }
  return %r : index
}
