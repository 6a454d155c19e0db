// RUN: mlc-opt %s --graph-operators-to-calls | FileCheck %s
// A size that is known when the model runs is an argument for each dimension that has it, in the order of the tensors.
// CHECK-LABEL: func.func private @kernel_0
// CHECK: call @operator_0(%arg0, %arg2, %arg1, %arg2) : (tensor<?x?xf32, #graph.dims<["m", "n"]>>, index, index, index) -> tensor<3x?xf32, #graph.dims<["", "m"]>>
// CHECK: func.func private @operator_0(tensor<?x?xf32, #graph.dims<["m", "n"]>>, index {mlc.size = "m"}, index {mlc.size = "n"}, index {mlc.size = "m"})
func.func private @kernel_0(%x: tensor<?x?xf32, #graph.dims<["m", "n"]>>, %n: index {mlc.size = "n"}, %m: index {mlc.size = "m"}) -> tensor<3x?xf32, #graph.dims<["", "m"]>> {
  %y = graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {}} : (tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> tensor<3x?xf32, #graph.dims<["", "m"]>>
  return %y : tensor<3x?xf32, #graph.dims<["", "m"]>>
}
