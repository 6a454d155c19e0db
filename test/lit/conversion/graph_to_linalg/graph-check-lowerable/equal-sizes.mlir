// RUN: mlc-opt %s --graph-check-lowerable | FileCheck %s
// What must be equal, and is not by its texts, is checked when the model runs, beside the node that needs it.
!image = tensor<?x?x8x8xf32, #graph.dims<["n", "c", "", ""]>>
!bias = tensor<?xf32, #graph.dims<["k"]>>
// CHECK-LABEL: func.func @main
// CHECK-SAME: mlc.checks = {{\[}}["c", "3", "conv"], ["k", "4", "conv"], ["k", "c", "norm"]]
func.func @main(%x: !image, %filter: tensor<4x3x1x1xf32>, %bias: !bias)
    -> (tensor<?x4x8x8xf32, #graph.dims<["n", "", "", ""]>>, !image) {
  %0 = graph.conv %x, %filter, %bias : (!image, tensor<4x3x1x1xf32>, !bias) -> tensor<?x4x8x8xf32, #graph.dims<["n", "", "", ""]>> loc("conv")
  %1 = graph.batch_norm %x, %bias, %bias, %bias, %bias : (!image, !bias, !bias, !bias, !bias) -> !image loc("norm")
  return %0, %1 : tensor<?x4x8x8xf32, #graph.dims<["n", "", "", ""]>>, !image
}

// CHECK-LABEL: func.func @lengths
// CHECK-SAME: mlc.checks = {{\[}}["s", "t", "pairs"]]
!s = tensor<?x3xf32, #graph.dims<["s", ""]>>
!t = tensor<?x3xf32, #graph.dims<["t", ""]>>
func.func @lengths(%x: !s, %y: !t) -> !s {
  %0 = graph.scan over %x, %y : !s, !t -> !s {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %1 = graph.add %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    graph.yield %1 : tensor<3xf32>
  } loc("pairs")
  return %0 : !s
}
