// RUN: mlc-opt %s --outline-kernels | FileCheck %s
// Equal bodies become one function, whatever their names and places; another attribute makes another kernel.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = call @kernel_0(%{{.*}})
// CHECK: %[[B:.*]] = call @kernel_0(%[[A]])
// CHECK: call @kernel_1(%[[B]])
// CHECK: func.func private @kernel_0(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[Y:.*]] = graph.leaky_relu %[[X]]
// CHECK: return %[[Y]]
// CHECK: func.func private @kernel_1
// CHECK-NOT: func.func
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel ins(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = graph.leaky_relu %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %r : tensor<4xf32>
  }
  %1 = graph.kernel ins(%0 : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b: tensor<4xf32>):
    %s = graph.leaky_relu %b : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  %2 = graph.kernel ins(%1 : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%c: tensor<4xf32>):
    %t = graph.leaky_relu %c {alpha = 0.5 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %t : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
