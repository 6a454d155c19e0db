// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// An unknown batch is carried through; its name goes from types to attributes of the function.
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32> {mlc.dims = ["N", ""]}, %{{.*}}: tensor<4x3xf32>) -> (tensor<?x3xf32> {mlc.dims = ["N", ""]})
func.func @f(%x: tensor<?x4xf32, #graph.dims<["N", ""]>>, %w: tensor<4x3xf32>) -> tensor<?x3xf32, #graph.dims<["N", ""]>> {
  // CHECK: tensor.dim %[[X]], %{{.*}}
  // CHECK: tensor.empty(%{{.*}}) : tensor<?x3xf32>
  // CHECK: linalg.matmul
  %y = graph.gemm %x, %w : (tensor<?x4xf32, #graph.dims<["N", ""]>>, tensor<4x3xf32>) -> tensor<?x3xf32, #graph.dims<["N", ""]>>
  %z = graph.relu %y : (tensor<?x3xf32, #graph.dims<["N", ""]>>) -> tensor<?x3xf32, #graph.dims<["N", ""]>>
  return %z : tensor<?x3xf32, #graph.dims<["N", ""]>>
}
