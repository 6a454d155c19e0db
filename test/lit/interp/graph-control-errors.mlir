// RUN: not mlc-opt %s --interpret --entry shapes '--input=dense<3>:tensor<i64>' --input iota 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not mlc-opt %s --interpret --entry none '--input=dense<0>:tensor<i64>' --input iota 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlc-opt %s --interpret --entry unranked '--input=dense<0>:tensor<i64>' --input iota 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: mlc-opt %s --interpret --entry grows '--input=dense<3>:tensor<i64>' --input iota | FileCheck %s --check-prefix=GROWS
// RUN: not mlc-opt %s --interpret --entry endless --max-steps 10000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not mlc-opt %s --interpret --entry steps '--input=dense<0.0>:tensor<3xf32>' '--input=dense<0.0>:tensor<4xf32>' 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: error: 'graph.scan' op has inputs of different numbers of steps
func.func @steps(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = graph.scan over %x, %y : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    graph.yield %a : tensor<f32>
  }
  return %0 : tensor<?xf32>
}
// SHAPES: error: 'graph.loop' op elements of result 1 differ in shape
func.func @shapes(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<?x?xf32> {
  %true = graph.constant dense<true> : tensor<i1>
  %0:2 = graph.loop %n, %true, %x : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<?xf32>):
    %a = graph.concat %v, %v {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    graph.yield %go, %a, %a : tensor<i1>, tensor<?xf32>, tensor<?xf32>
  }
  return %0#1 : tensor<?x?xf32>
}
// GROWS: dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00,
func.func @grows(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<?xf32> {
  %true = graph.constant dense<true> : tensor<i1>
  %0 = graph.loop %n, %true, %x : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<?xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<?xf32>):
    %a = graph.concat %v, %v {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    graph.yield %go, %a : tensor<i1>, tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
// NONE: error: 'graph.loop' op the shape of result 1 is not known
func.func @none(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<?x?xf32> {
  %true = graph.constant dense<true> : tensor<i1>
  %0:2 = graph.loop %n, %true, %x : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<?x?xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<2xf32>):
    graph.yield %go, %v, %v : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  return %0#1 : tensor<?x?xf32>
}
// RANK: error: 'graph.loop' op the rank of result 1 is not known
func.func @unranked(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<*xf32> {
  %true = graph.constant dense<true> : tensor<i1>
  %0:2 = graph.loop %n, %true, %x : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<*xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<2xf32>):
    graph.yield %go, %v, %v : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  return %0#1 : tensor<*xf32>
}
// ENDLESS: error
func.func @endless() -> tensor<f32> {
  %true = graph.constant dense<true> : tensor<i1>
  %n = graph.constant dense<9223372036854775807> : tensor<i64>
  %x = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.loop %n, %true, %x : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<f32>):
    graph.yield %go, %v : tensor<i1>, tensor<f32>
  }
  return %0 : tensor<f32>
}
