// RUN: mlc-opt %s --canonicalize | FileCheck %s
func.func private @slice(index) -> tensor<1xf32>
// An output that nobody writes is what it was, a dimension of one iteration goes, constant bounds move into the op.
// CHECK-LABEL: func.func @drop
// CHECK: %[[R:.*]] = scf.forall (%{{.*}}) in (8) shared_outs(%{{.*}} = %arg0) -> (tensor<8xf32>) {
// CHECK: return %[[R]], %arg1
func.func @drop(%t: tensor<8xf32>, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c8 = arith.constant 8 : index
  %r:2 = scf.forall (%i, %k) in (%c8, 1) shared_outs(%o = %t, %p = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %s = func.call @slice(%k) : (index) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
// CHECK-LABEL: func.func @once
// CHECK-NOT: scf.forall
// CHECK: %[[S:.*]] = call @slice
// CHECK-NEXT: tensor.insert_slice %[[S]] into %arg0
func.func @once(%t: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) = (3) to (4) step (5) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = func.call @slice(%i) : (index) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
