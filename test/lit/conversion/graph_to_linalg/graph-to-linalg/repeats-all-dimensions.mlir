// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// Each dimension that is repeated is two in the loops: as many as MLC_SMALL_RANK make twice as many loops.
// CHECK-LABEL: func.func @f
// CHECK: tensor.empty() : tensor<2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1xf32>
// CHECK: tensor.collapse_shape {{.*}} into tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>
func.func @f(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>)
    -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32> {
  %0 = graph.tile %x {repeats = array<i64: 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>}
    : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>
  return %0 : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>
}
