// RUN: mlc-opt %s --outline-kernels | FileCheck %s
// A size that the model returns is set behind what computes it; a kernel of that size comes after, wherever it stood.
// CHECK: module attributes {mlc.computed_sizes = ["computed.0"]}
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<?xi64, #graph.dims<["computed.0"]>>
// CHECK: %[[COUNT:.*]] = call @kernel_1
// CHECK: %[[VALUE:.*]] = tensor.extract %[[COUNT]][]
// CHECK: %[[SIZE:.*]] = call @mlc_set_size(%{{.*}}, %[[VALUE]]) {mlc.size = "computed.0"}
// CHECK: %[[PLACES:.*]] = call @kernel_0(%{{.*}}, %[[SIZE]])
// CHECK: return %[[PLACES]] :
!n = tensor<?xi64, #graph.dims<["computed.0"]>>
func.func @main(%x: tensor<i64>) -> (!n, tensor<i64> {mlc.size = "computed.0"}) {
  %places = graph.kernel ins(%x : tensor<i64>) -> !n {
  ^bb0(%a: tensor<i64>):
    %0 = graph.iota ["computed.0"] : !n
    graph.yield %0 : !n
  }
  %count = graph.kernel ins(%x : tensor<i64>) -> tensor<i64> {
  ^bb0(%a: tensor<i64>):
    %0 = graph.add %a, %a : (tensor<i64>, tensor<i64>) -> tensor<i64>
    graph.yield %0 : tensor<i64>
  }
  return %places, %count : !n, tensor<i64>
}
