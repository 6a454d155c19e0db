// RUN: mlc-opt %s --graph-check-lowerable --verify-diagnostics --split-input-file
// What iterations put together has as many elements as there are iterations.
func.func @computed(%count: tensor<i64>, %x: tensor<3xf32>) -> tensor<?x3xf32> {
  %on = graph.constant dense<true> : tensor<i1>
  // expected-error @below {{the number of its iterations is computed at run time, so the size of what they put together is unknown}}
  %0:2 = graph.loop %count, %on, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    graph.yield %go, %v, %v : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#1 : tensor<?x3xf32>
}

// -----

func.func @ends(%on: tensor<i1>, %x: tensor<3xf32>) -> tensor<?x3xf32> {
  %count = graph.constant dense<3> : tensor<i64>
  // expected-error @below {{its condition may end it early, so the size of what its iterations put together is unknown}}
  %0:2 = graph.loop %count, %on, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    graph.yield %go, %v, %v : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#1 : tensor<?x3xf32>
}
