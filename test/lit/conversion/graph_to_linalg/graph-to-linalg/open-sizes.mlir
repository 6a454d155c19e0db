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
// One side alone may be open: the joined dimension is what the other side has.
// CHECK-LABEL: func.func private @kernel_3
// CHECK: %[[Y:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<?x20xf32> into tensor<?xf32>
// CHECK: %[[Z:.*]] = tensor.cast %[[Y]] : tensor<?xf32> to tensor<80xf32>
// CHECK: tensor.expand_shape %[[Z]] {{\[}}[0, 1, 2]] output_shape [2, 8, 5]
func.func private @kernel_3(%x: tensor<?x20xf32, #graph.dims<["b", ""]>>, %b: index {mlc.size = "b"}) -> tensor<2x8x5xf32> {
  %y = graph.reshape %x {shape = array<i64: 2, 8, 5>} : (tensor<?x20xf32, #graph.dims<["b", ""]>>) -> tensor<2x8x5xf32>
  return %y : tensor<2x8x5xf32>
}
// CHECK-LABEL: func.func private @kernel_4
// CHECK: %[[Y:.*]] = tensor.cast %{{.*}} : tensor<80xf32> to tensor<?xf32>
// CHECK: tensor.expand_shape %[[Y]] {{\[}}[0, 1]] output_shape [%{{.*}}, 40]
func.func private @kernel_4(%x: tensor<80xf32>, %b: index {mlc.size = "b"}) -> tensor<?x40xf32, #graph.dims<["b", ""]>> {
  %y = graph.reshape %x {shape = array<i64: 1, 40>, sizes = ["b", ""]} : (tensor<80xf32>) -> tensor<?x40xf32, #graph.dims<["b", ""]>>
  return %y : tensor<?x40xf32, #graph.dims<["b", ""]>>
}
// Nothing is left of what has a size of 0.
// CHECK-LABEL: func.func private @kernel_5
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x0xf32>
// CHECK: return %[[E]]
func.func private @kernel_5(%x: tensor<2x0x?xf32, #graph.dims<["", "", "b"]>>, %b: index {mlc.size = "b"}) -> tensor<2x0xf32> {
  %y = graph.flatten %x : (tensor<2x0x?xf32, #graph.dims<["", "", "b"]>>) -> tensor<2x0xf32>
  return %y : tensor<2x0xf32>
}
// CHECK-LABEL: func.func private @kernel_6
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<0x?xf32>
// CHECK: return %[[E]]
func.func private @kernel_6(%x: tensor<?x?xf32, #graph.dims<["a", "b"]>>, %a: index {mlc.size = "a"}, %b: index {mlc.size = "b"})
    -> tensor<0x?xf32, #graph.dims<["", "b"]>> {
  %y = graph.tile %x {repeats = array<i64: 0, 1>} : (tensor<?x?xf32, #graph.dims<["a", "b"]>>) -> tensor<0x?xf32, #graph.dims<["", "b"]>>
  return %y : tensor<0x?xf32, #graph.dims<["", "b"]>>
}
// CHECK-LABEL: func.func private @kernel_7
// CHECK: %[[Y:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<?x5xf32> into tensor<?xf32>
// CHECK: %[[Z:.*]] = tensor.cast %[[Y]] : tensor<?xf32> to tensor<1xf32>
// CHECK: tensor.collapse_shape %[[Z]] [] : tensor<1xf32> into tensor<f32>
func.func private @kernel_7(%x: tensor<?x5xf32, #graph.dims<["b", ""]>>, %b: index {mlc.size = "b"}) -> tensor<f32> {
  %y = graph.reshape %x {shape = array<i64>} : (tensor<?x5xf32, #graph.dims<["b", ""]>>) -> tensor<f32>
  return %y : tensor<f32>
}
// CHECK-LABEL: func.func private @kernel_8
// CHECK: %[[Y:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1] : tensor<f32> into tensor<1xf32>
// CHECK: tensor.cast %[[Y]] : tensor<1xf32> to tensor<?xf32>
func.func private @kernel_8(%x: tensor<f32>, %b: index {mlc.size = "b"}) -> tensor<?xf32, #graph.dims<["b"]>> {
  %y = graph.reshape %x {shape = array<i64: 1>, sizes = ["b"]} : (tensor<f32>) -> tensor<?xf32, #graph.dims<["b"]>>
  return %y : tensor<?xf32, #graph.dims<["b"]>>
}
