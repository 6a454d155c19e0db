// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// An unknown batch is carried through; its name ends here.
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32>, %{{.*}}: tensor<4x3xf32>) -> tensor<?x3xf32>
func.func @f(%x: tensor<?x4xf32, #graph.dims<["N", ""]>>, %w: tensor<4x3xf32>) -> tensor<?x3xf32, #graph.dims<["N", ""]>> {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
  // CHECK: tensor.empty(%[[N]]) : tensor<?x3xf32>
  // CHECK: linalg.matmul
  %y = graph.gemm %x, %w : (tensor<?x4xf32, #graph.dims<["N", ""]>>, tensor<4x3xf32>) -> tensor<?x3xf32, #graph.dims<["N", ""]>>
  %z = graph.relu %y : (tensor<?x3xf32, #graph.dims<["N", ""]>>) -> tensor<?x3xf32, #graph.dims<["N", ""]>>
  return %z : tensor<?x3xf32, #graph.dims<["N", ""]>>
}
