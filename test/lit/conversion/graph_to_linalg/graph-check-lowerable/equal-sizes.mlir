// RUN: mlc-opt %s --graph-check-lowerable | FileCheck %s
// What must be equal, and is not by its texts, is checked when the model runs, beside the node that needs it.
!image = tensor<?x?x8x8xf32, #graph.dims<["n", "c", "", ""]>>
!bias = tensor<?xf32, #graph.dims<["k"]>>
// CHECK-LABEL: func.func @main
// CHECK-SAME: mlc.checks = {{\[}}["c", "6", "conv"], ["k", "4", "conv"], ["k", "c", "norm"]]
func.func @main(%x: !image, %filter: tensor<4x3x1x1xf32>, %bias: !bias)
    -> (tensor<?x4x8x8xf32, #graph.dims<["n", "", "", ""]>>, !image) {
  %0 = graph.conv %x, %filter, %bias {group = 2 : i64} : (!image, tensor<4x3x1x1xf32>, !bias) -> tensor<?x4x8x8xf32, #graph.dims<["n", "", "", ""]>> loc("conv")
  %1 = graph.batch_norm %x, %bias, %bias, %bias, %bias : (!image, !bias, !bias, !bias, !bias) -> !image loc("norm")
  return %0, %1 : tensor<?x4x8x8xf32, #graph.dims<["n", "", "", ""]>>, !image
}

// CHECK-LABEL: func.func @groups
// CHECK-SAME: mlc.checks = {{\[}}["k", "2*floordiv(k, 2)", "conv"]]
func.func @groups(%x: tensor<1x6x8x8xf32>, %filter: tensor<?x3x1x1xf32, #graph.dims<["k", "", "", ""]>>) -> tensor<1x?x8x8xf32, #graph.dims<["", "k", "", ""]>> {
  %0 = graph.conv %x, %filter {group = 2 : i64} : (tensor<1x6x8x8xf32>, tensor<?x3x1x1xf32, #graph.dims<["k", "", "", ""]>>) -> tensor<1x?x8x8xf32, #graph.dims<["", "k", "", ""]>> loc("conv")
  return %0 : tensor<1x?x8x8xf32, #graph.dims<["", "k", "", ""]>>
}
