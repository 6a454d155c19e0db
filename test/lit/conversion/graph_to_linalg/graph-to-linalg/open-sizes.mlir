// RUN: mlc-opt %s --graph-to-linalg --canonicalize | FileCheck %s
// A reshape joins and splits the dimensions whose texts show where groups end; sizes as values are made of arguments.
!x = tensor<?x?x8xf32, #graph.dims<["b", "s", ""]>>
// CHECK-LABEL: func.func private @kernel_0
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32> {mlc.dims = ["b", "s", ""]}, %[[B:.*]]: index {mlc.size = "b"}, %[[S:.*]]: index
// CHECK: %[[Y:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1], [2, 3]] output_shape [%[[B]], %[[S]], 2, 4]
// CHECK: return %[[Y]]
func.func private @kernel_0(%x: !x, %b: index {mlc.size = "b"}, %s: index {mlc.size = "s"})
    -> tensor<?x?x2x4xf32, #graph.dims<["b", "s", "", ""]>> {
  %y = graph.reshape %x {shape = array<i64: 1, 1, 2, 4>, sizes = ["b", "s", "", ""]} : (!x) -> tensor<?x?x2x4xf32, #graph.dims<["b", "s", "", ""]>>
  return %y : tensor<?x?x2x4xf32, #graph.dims<["b", "s", "", ""]>>
}
// CHECK-LABEL: func.func private @kernel_1
// CHECK-SAME: %[[S:.*]]: index {mlc.size = "s"})
// CHECK: %[[N:.*]] = arith.index_cast %[[S]] : index to i64
// CHECK: tensor.from_elements %[[N]], %{{.*}} : tensor<2xi64>
func.func private @kernel_1(%s: index {mlc.size = "s"}) -> tensor<2xi64> {
  %0 = graph.sizes ["s", "4"] : tensor<2xi64>
  return %0 : tensor<2xi64>
}
// CHECK-LABEL: func.func private @kernel_2
// CHECK: linalg.index 0
// CHECK: tensor<?xi64>
func.func private @kernel_2(%s: index {mlc.size = "s"}) -> tensor<?xi64, #graph.dims<["s"]>> {
  %0 = graph.iota ["s"] : tensor<?xi64, #graph.dims<["s"]>>
  return %0 : tensor<?xi64, #graph.dims<["s"]>>
}
