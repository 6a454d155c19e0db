// RUN: not mlc-opt %s --graph-operators-to-calls --split-input-file 2>&1 | FileCheck %s
// What has no size cannot be called.
// CHECK: size 0 of tensor<?xf32> is unknown
func.func private @kernel_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {}} : (tensor<?xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// -----

// CHECK: the size 'm' does not follow from the inputs
func.func private @kernel_0(%x: tensor<1xf32>) -> tensor<?xf32, #graph.dims<["m"]>> {
  %y = graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {}} : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<["m"]>>
  return %y : tensor<?xf32, #graph.dims<["m"]>>
}
