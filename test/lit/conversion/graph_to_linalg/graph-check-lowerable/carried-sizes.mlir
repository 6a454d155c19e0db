// RUN: mlc-opt %s --graph-check-lowerable --verify-diagnostics
// What iterations carry has the same sizes from the first one on.
!n = tensor<?xf32, #graph.dims<["n"]>>
!rows = tensor<?x3xf32, #graph.dims<["seq", ""]>>
func.func @scan(%h: !n, %x: !rows) -> tensor<3xf32> {
  // expected-error @below {{result 0 is of type tensor<3xf32>, and begins as tensor<?xf32, #graph.dims<["n"]>>}}
  %0 = graph.scan %h : !n over %x : !rows -> tensor<3xf32> {
  ^bb0(%state: !n, %row: tensor<3xf32>):
    %1 = graph.add %state, %row : (!n, tensor<3xf32>) -> tensor<3xf32>
    graph.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}
