// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// Whatever the index, there is no such element: told when the model runs.
// CHECK: cf.assert %{{.*}}, "gather: an index, where there are no elements"
func.func @f(%x: tensor<0x4xf32>, %i: tensor<2xi64>) -> tensor<2x4xf32> {
  %0 = graph.gather %x, %i : (tensor<0x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
