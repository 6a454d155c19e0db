// RUN: mlc-opt %s --graph-infer-shapes --verify-diagnostics --split-input-file | FileCheck %s
// Arguments of bodies, then their ops, then results.
// CHECK-LABEL: func.func @f
func.func @f(%c: tensor<i1>, %x: tensor<3xf32>, %s: tensor<5x3xf32>) -> tensor<*xf32> {
  // CHECK: graph.if %{{.*}} : tensor<i1> -> tensor<3xf32>
  %0 = graph.if %c : tensor<i1> -> tensor<*xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    // CHECK: graph.reshape {{.*}} -> tensor<3xf32>
    %r = graph.reshape %x {shape = array<i64: -1>} : (tensor<3xf32>) -> tensor<*xf32>
    graph.yield %r : tensor<*xf32>
  }
  // CHECK: graph.scan %{{.*}} : tensor<3xf32> over %{{.*}} : tensor<5x3xf32> -> tensor<3xf32>, tensor<5x3xf32>
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3xf32>, %{{.*}}: tensor<3xf32>):
  %1:2 = graph.scan %0 : tensor<*xf32> over %s : tensor<5x3xf32> -> tensor<*xf32>, tensor<*xf32> {
  ^bb0(%v: tensor<*xf32>, %e: tensor<*xf32>):
    %a = graph.add %v, %e : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    graph.yield %a, %a : tensor<*xf32>, tensor<*xf32>
  }
  %n = graph.constant dense<4> : tensor<i64>
  %true = graph.constant dense<true> : tensor<i1>
  // CHECK: graph.loop {{.*}} -> (tensor<3xf32>, tensor<4x3xf32>)
  %2:2 = graph.loop %n, %true, %1#0 : (tensor<i64>, tensor<i1>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<*xf32>):
    %on = graph.identity %go : (tensor<i1>) -> tensor<i1>
    graph.yield %on, %v, %v : tensor<i1>, tensor<*xf32>, tensor<*xf32>
  }
  // CHECK: return %{{.*}} : tensor<4x3xf32>
  return %2#1 : tensor<*xf32>
}

// -----

func.func @grows(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> tensor<*xf32> {
  // expected-error @below {{carried value 0 changes its shape, from tensor<3xf32> to tensor<6xf32>}}
  %0 = graph.loop %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<*xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<*xf32>):
    %a = graph.concat %v, %v {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    graph.yield %go, %a : tensor<i1>, tensor<*xf32>
  }
  return %0 : tensor<*xf32>
}

// -----

func.func @branches(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{its branches give result 0 as tensor<3xf32> and as tensor<4xf32>, of different shapes}}
  %0 = graph.if %c : tensor<i1> -> tensor<*xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    graph.yield %y : tensor<4xf32>
  }
  return %0 : tensor<*xf32>
}

// -----

func.func @declared(%x: tensor<?x3xf32>, %y: tensor<5x3xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{result 0 has type tensor<?x4xf32>, but its body makes it tensor<5x3xf32>}}
  %0 = graph.scan over %y : tensor<5x3xf32> -> tensor<?x4xf32> {
  ^bb0(%e: tensor<?xf32>):
    graph.yield %e : tensor<?xf32>
  }
  return %0 : tensor<?x4xf32>
}
