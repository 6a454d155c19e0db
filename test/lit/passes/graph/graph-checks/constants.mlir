// RUN: mlc-opt %s --graph-checks | FileCheck %s
// Constant indices and divisors are looked at once: in range, there is nothing left to check.
// CHECK-LABEL: func.func @constants
func.func @constants(%data: tensor<5x4xf32>, %n: tensor<3xi32>) -> (tensor<2x4xf32>, tensor<3xi32>, tensor<2xf32>) {
  %indices = graph.constant dense<[-5, 4]> : tensor<2xi64>
  %tuples = graph.constant dense<[[4, 3], [-1, -4]]> : tensor<2x2xi32>
  %divisor = graph.constant dense<[1, -1, 7]> : tensor<3xi32>
  // CHECK: graph.gather {{.*}} {mlc.checked}
  %0 = graph.gather %data, %indices : (tensor<5x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  // CHECK: graph.div {{.*}} {mlc.checked}
  %1 = graph.div %n, %divisor : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  // CHECK: graph.gather_nd {{.*}} {mlc.checked}
  %2 = graph.gather_nd %data, %tuples : (tensor<5x4xf32>, tensor<2x2xi32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<3xi32>, tensor<2xf32>
}

// Others keep the name of their node; floats are divided by 0.
// CHECK-LABEL: func.func @computed
func.func @computed(%data: tensor<5x4xf32>, %indices: tensor<2xi64>, %size: tensor<?x4xf32>) -> (tensor<2x4xf32>, tensor<5x4xf32>, tensor<2x4xf32>) {
  // CHECK: graph.gather {{.*}} {mlc.node = "emb"}
  %0 = graph.gather %data, %indices : (tensor<5x4xf32>, tensor<2xi64>) -> tensor<2x4xf32> loc("emb")
  // CHECK: graph.div %{{.*}}, %{{.*}} : (tensor<5x4xf32>
  %1 = graph.div %data, %data : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  %known = graph.constant dense<[0, 1]> : tensor<2xi64>
  // CHECK: graph.gather {{.*}} {mlc.node = "rows"}
  %2 = graph.gather %size, %known : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<2x4xf32> loc("rows")
  return %0, %1, %2 : tensor<2x4xf32>, tensor<5x4xf32>, tensor<2x4xf32>
}
