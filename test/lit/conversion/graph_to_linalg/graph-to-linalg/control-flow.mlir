// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --input integers:1 --input integers:2 '--input=dense<true>:tensor<i1>' '--input=dense<4>:tensor<1xi64>' > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --input integers:1 --input integers:2 '--input=dense<true>:tensor<i1>' '--input=dense<4>:tensor<1xi64>' > %t.after
// RUN: diff %t.before %t.after
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.
func.func @main(%x: tensor<3xf32>, %s: tensor<5x3xf32>, %c: tensor<i1>, %n: tensor<1xi64>) -> (tensor<3xf32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // The last step first: its place is 4 - t.
  // CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %arg0, %{{.*}} = %{{.*}}) -> (tensor<3xf32>, tensor<5x3xf32>)
  // CHECK: affine.apply #{{.*}}(%[[T]])
  // CHECK: tensor.extract_slice %arg1
  // CHECK: tensor.insert_slice {{.*}}[%[[T]], 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<5x3xf32>
  // CHECK: scf.yield
  %0:2 = graph.scan %x : tensor<3xf32> over %s : tensor<5x3xf32> -> tensor<3xf32>, tensor<5x3xf32> attributes {input_reversed = array<i64: 1>} {
  ^bb0(%v: tensor<3xf32>, %e: tensor<3xf32>):
    %a = graph.add %v, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    graph.yield %a, %a : tensor<3xf32>, tensor<3xf32>
  }
  // What a branch makes, and what none does.
  // CHECK: %[[C:.*]] = tensor.extract %arg2[] : tensor<i1>
  // CHECK: linalg.generic
  // CHECK: arith.select
  // CHECK: scf.if %[[C]] -> (tensor<3xf32>) {
  %1:2 = graph.if %c : tensor<i1> -> tensor<3xf32>, tensor<3xf32> {
    %r = graph.neg %x : (tensor<3xf32>) -> tensor<3xf32>
    graph.yield %r, %x : tensor<3xf32>, tensor<3xf32>
  } else {
    %k = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    graph.yield %x, %k : tensor<3xf32>, tensor<3xf32>
  }
  %two = graph.constant dense<2> : tensor<i64>
  %true = graph.constant dense<true> : tensor<i1>
  // CHECK: scf.for
  %2:2 = graph.loop %two, %true, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    %f = graph.cast %i : (tensor<i64>) -> tensor<f32>
    %a = graph.add %v, %f : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    graph.yield %go, %a, %v : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  // A count of run time, then a condition, too.
  // CHECK: scf.for
  %3 = graph.loop %n, %true, %x : (tensor<1xi64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    %a = graph.add %v, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    graph.yield %go, %a : tensor<i1>, tensor<3xf32>
  }
  // CHECK: scf.while
  // CHECK: arith.cmpi slt
  // CHECK: scf.condition
  %4 = graph.loop %n, %c, %x : (tensor<1xi64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    %a = graph.add %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %less = graph.less %i, %two : (tensor<i64>, tensor<i64>) -> tensor<i1>
    graph.yield %less, %a : tensor<i1>, tensor<3xf32>
  }
  return %0#0, %0#1, %1#0, %1#1, %2#1, %3, %4 : tensor<3xf32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}
