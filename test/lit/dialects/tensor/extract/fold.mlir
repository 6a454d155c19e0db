// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @generated(%arg0: index, %arg1: index)
// CHECK-NEXT: %[[S:.*]] = arith.muli %arg0, %arg1
// CHECK-NEXT: return %[[S]]
func.func @generated(%i: index, %n: index) -> index {
  %t = tensor.generate %n {
  ^bb0(%k: index):
    %0 = arith.muli %k, %n : index
    tensor.yield %0 : index
  } : tensor<?xindex>
  %e = tensor.extract %t[%i] : tensor<?xindex>
  return %e : index
}
// CHECK-LABEL: func.func @sparse
// CHECK-DAG: %[[A:.*]] = arith.constant 7 : i32
// CHECK-DAG: %[[B:.*]] = arith.constant 0 : i32
// CHECK: return %[[A]], %[[B]]
func.func @sparse() -> (i32, i32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = arith.constant sparse<[[0, 1], [2, 1]], [3, 7]> : tensor<3x2xi32>
  %a = tensor.extract %t[%c2, %c1] : tensor<3x2xi32>
  %b = tensor.extract %t[%c1, %c1] : tensor<3x2xi32>
  return %a, %b : i32, i32
}
// CHECK-LABEL: func.func @cast(%arg0: tensor<4xi32>
// CHECK-NEXT: %[[E:.*]] = tensor.extract %arg0
// CHECK-NEXT: arith.index_cast %[[E]] : i32 to index
func.func @cast(%t: tensor<4xi32>, %i: index) -> index {
  %0 = tensor.cast %t : tensor<4xi32> to tensor<?xi32>
  %1 = arith.index_cast %0 : tensor<?xi32> to tensor<?xindex>
  %e = tensor.extract %1[%i] : tensor<?xindex>
  return %e : index
}
