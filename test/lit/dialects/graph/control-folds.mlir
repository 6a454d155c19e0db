// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A condition that is known.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.if
// CHECK: %[[R:.*]] = graph.relu
// CHECK: return %[[R]]
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = graph.constant dense<false> : tensor<1xi1>
  %0 = graph.if %c : tensor<1xi1> -> tensor<3xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    %r = graph.relu %x : (tensor<3xf32>) -> tensor<3xf32>
    graph.yield %r : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}
