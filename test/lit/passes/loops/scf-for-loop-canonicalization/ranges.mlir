// RUN: mlc-opt %s --scf-for-loop-canonicalization -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-loop-canonicalization --interpret --entry run | FileCheck %s --check-prefix=EVAL
// 0, 4, 8, 12: what is left is never less than 4.
// CHECK-LABEL: func.func @known
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[MAX:.*]] = affine.apply affine_map<(d0) -> (-d0 + 16)>(%[[I]])
// CHECK: %[[OPEN:.*]] = affine.min affine_map<(d0) -> (2, d0, -d0 + 19)>(%[[I]])
// CHECK: arith.addi %[[MAX]], %c4
func.func @known() -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %c4 iter_args(%v = %c0) -> index {
    %0 = affine.min affine_map<(d0) -> (4, -d0 + 16)>(%i)
    %1 = affine.max affine_map<(d0) -> (4, -d0 + 16)>(%i)
    %2 = affine.min affine_map<(d0) -> (2, d0, -d0 + 19)>(%i)
    %3 = arith.addi %0, %1 : index
    %4 = arith.addi %2, %3 : index
    %5 = arith.addi %4, %v : index
    scf.yield %5 : index
  }
  return %r : index
}
// Bounds that are values, remainders, and variables of other loops. The last tile may be smaller.
// CHECK-LABEL: func.func @values
// CHECK: scf.parallel (%[[I:[a-z0-9]+]]) =
// CHECK-NOT: affine.max
// CHECK: affine.min affine_map<(d0)[s0] -> (4, -d0 + s0)>(%[[I]])[%arg1]
// CHECK-NOT: affine.max
// CHECK: scf.forall
// CHECK-NOT: affine.min
// CHECK: return
func.func @values(%from: index, %to: index, %m: memref<?xindex>) {
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%from) to (%to) step (%c4) {
    %0 = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%from]
    %1 = affine.min affine_map<(d0)[s0] -> (4, -d0 + s0)>(%i)[%to]
    %2 = affine.max affine_map<(d0) -> (d0 mod 4, 3)>(%i)
    memref.store %1, %m[%0] : memref<?xindex>
    memref.store %2, %m[%0] : memref<?xindex>
  }
  scf.forall (%i) in (8) {
    %0 = affine.min affine_map<(d0) -> (8, d0 + 1)>(%i)
    memref.store %0, %m[%i] : memref<?xindex>
  }
  return
}
// What is written to keeps its shape, also through a loop inside; what is replaced need not.
// CHECK-LABEL: func.func @shapes
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg0, %[[OTHER:.*]] = %arg1
// CHECK: tensor.dim %arg0
// CHECK: tensor.dim %[[OTHER]]
// CHECK: tensor.dim %arg0
func.func @shapes(%a: tensor<?xindex>, %b: tensor<?xindex>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %b, %v = %c0) -> (tensor<?xindex>, tensor<?xindex>, index) {
    %d = tensor.dim %t, %c0 : tensor<?xindex>
    %e = tensor.dim %u, %c0 : tensor<?xindex>
    %w = scf.for %j = %c0 to %d step %c1 iter_args(%x = %t) -> tensor<?xindex> {
      %0 = tensor.insert %e into %x[%j] : tensor<?xindex>
      scf.yield %0 : tensor<?xindex>
    }
    %1 = arith.addi %v, %e : index
    %more = arith.addi %e, %c1 : index
    %2 = tensor.empty(%more) : tensor<?xindex>
    scf.yield %w, %2, %1 : tensor<?xindex>, tensor<?xindex>, index
  }
  %f = tensor.dim %r#0, %c0 : tensor<?xindex>
  return %f, %r#2 : index, index
}
// EVAL: 62 : index
// EVAL-NEXT: 2 : index
// EVAL-NEXT: 12 : index
func.func @run() -> (index, index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = func.call @known() : () -> index
  %a = tensor.empty(%c2) : tensor<?xindex>
  %b = tensor.empty(%c3) : tensor<?xindex>
  %1:2 = func.call @shapes(%a, %b, %c3) : (tensor<?xindex>, tensor<?xindex>, index) -> (index, index)
  return %0, %1#0, %1#1 : index, index, index
}
