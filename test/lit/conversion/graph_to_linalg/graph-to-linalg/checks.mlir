// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// Indices and divisors that are known when the model runs: one reduction over all of them, and an assertion before the loops
// that rely on it. What graph-checks proved is not checked, and nothing is clamped.
// CHECK-LABEL: func.func @rows
// CHECK: %[[ANY:.*]] = linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}} ins(%arg1 : tensor<7xi64>)
// CHECK: %[[FROM:.*]] = arith.addi %in, %{{.*}} : i64
// CHECK: %[[WRONG:.*]] = arith.cmpi uge, %[[FROM]], %{{.*}} : i64
// CHECK: arith.extsi %[[WRONG]] : i1 to i64
// CHECK: arith.ori
// CHECK: %[[BITS:.*]] = tensor.extract %[[ANY]][]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[BITS]], %{{.*}} : i64
// CHECK: cf.assert %[[NONE]], "node 'emb' (gather): an index is outside of [-9, 8]"
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK-NOT: arith.minsi
// CHECK: tensor.extract
func.func @rows(%data: tensor<9x4xf32>, %indices: tensor<7xi64>) -> tensor<7x4xf32> {
  %0 = graph.gather %data, %indices {mlc.node = "emb"} : (tensor<9x4xf32>, tensor<7xi64>) -> tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}

// CHECK-LABEL: func.func @proved
// CHECK-NOT: cf.assert
// CHECK: return
func.func @proved(%data: tensor<9x4xf32>, %indices: tensor<7xi64>, %n: tensor<4xi32>) -> (tensor<7x4xf32>, tensor<4xi32>) {
  %0 = graph.gather %data, %indices {mlc.checked} : (tensor<9x4xf32>, tensor<7xi64>) -> tensor<7x4xf32>
  %by = graph.constant dense<3> : tensor<i32>
  %1 = graph.div %n, %by : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1 : tensor<7x4xf32>, tensor<4xi32>
}

// Only what the divisor is made of is read, along its own dimensions.
// CHECK-LABEL: func.func @divided
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}} ins(%arg1 : tensor<4xi32>)
// CHECK: cf.assert %{{.*}}, "div: divides by 0"
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%arg0, %arg1
// CHECK: arith.divsi
func.func @divided(%n: tensor<3x4xi32>, %by: tensor<4xi32>) -> tensor<3x4xi32> {
  %0 = graph.div %n, %by : (tensor<3x4xi32>, tensor<4xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}
