// RUN: mlc-opt %s --graph-infer-shapes | FileCheck %s
// Shapes go from the arguments on; the batch keeps its name, and the function's type follows.
// CHECK: func.func @f({{.*}}) -> tensor<?x8xf32, #graph.dims<["N", ""]>>
func.func @f(%x: tensor<?x3x8x8xf32, #graph.dims<["N", "", "", ""]>>, %w: tensor<8x3x3x3xf32>) -> tensor<*xf32> {
  // CHECK: graph.conv {{.*}} -> tensor<?x8x6x6xf32, #graph.dims<["N", "", "", ""]>>
  %0 = graph.conv %x, %w : (tensor<?x3x8x8xf32, #graph.dims<["N", "", "", ""]>>, tensor<8x3x3x3xf32>) -> tensor<*xf32>
  %1 = graph.relu %0 : (tensor<*xf32>) -> tensor<*xf32>
  // CHECK: graph.global_average_pool {{.*}} -> tensor<?x8x1x1xf32, #graph.dims<["N", "", "", ""]>>
  %2 = graph.global_average_pool %1 : (tensor<*xf32>) -> tensor<*xf32>
  // CHECK: graph.flatten {{.*}} -> tensor<?x8xf32, #graph.dims<["N", ""]>>
  %3 = graph.flatten %2 : (tensor<*xf32>) -> tensor<*xf32>
  return %3 : tensor<*xf32>
}
