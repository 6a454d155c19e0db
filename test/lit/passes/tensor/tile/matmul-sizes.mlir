// RUN: mlc-opt %s --tile=tile-sizes=4,8,0 | FileCheck %s
// Two loops over the result; what does not divide is a second, smaller tile. The reduction stays whole.
// CHECK-LABEL: func.func @matmul
func.func @matmul(%lhs: tensor<10x32xf32>, %rhs: tensor<32x16xf32>, %init: tensor<10x16xf32>) -> tensor<10x16xf32> {
  // CHECK: %[[MAIN:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}) -> (tensor<10x16xf32>)
  // CHECK:   scf.for %[[J:.*]] = %{{.*}} iter_args(%[[DEST:.*]] = %[[OUTER]])
  // CHECK-DAG: %[[L:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [4, 32] [1, 1]
  // CHECK-DAG: %[[R:.*]] = tensor.extract_slice %{{.*}}[0, %[[J]]] [32, 8] [1, 1]
  // CHECK-DAG: %[[D:.*]] = tensor.extract_slice %[[DEST]][%[[I]], %[[J]]] [4, 8] [1, 1]
  // CHECK:     %[[T:.*]] = linalg.matmul ins(%[[L]], %[[R]] : tensor<4x32xf32>, tensor<32x8xf32>) outs(%[[D]] : tensor<4x8xf32>)
  // CHECK:     tensor.insert_slice %[[T]] into %[[DEST]][%[[I]], %[[J]]] [4, 8] [1, 1]
  // The rest of the rows, 8 to 10.
  // CHECK: scf.for
  // CHECK:   tensor.extract_slice %{{.*}}[8, 0] [2, 32] [1, 1]
  // CHECK:   linalg.matmul {{.*}} -> tensor<2x8xf32>
  %0 = linalg.matmul ins(%lhs, %rhs : tensor<10x32xf32>, tensor<32x16xf32>) outs(%init : tensor<10x16xf32>) -> tensor<10x16xf32>
  return %0 : tensor<10x16xf32>
}
