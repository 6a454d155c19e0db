// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// CHECK-LABEL: func.func @two
// CHECK: %0:2 = graph.operator %arg0 {absent = array<i64: 0>, attributes = {gap = 5.000000e-01 : f32, kinds = [1, 2], mode = "fast"}, domain = "com.acme", function = "com_acme_Runs", library = "libruns.so", name = "Runs", opset = 3 : i64} : (tensor<6xf32>) -> (tensor<i64>, tensor<6xi64>)
func.func @two(%x: tensor<6xf32>) -> (tensor<i64>, tensor<6xi64>) {
  %count, %lengths = graph.operator %x {function = "com_acme_Runs", library = "libruns.so", domain = "com.acme", name = "Runs", opset = 3 : i64, attributes = {gap = 0.5 : f32, kinds = [1, 2], mode = "fast"}, absent = array<i64: 0>} : (tensor<6xf32>) -> (tensor<i64>, tensor<6xi64>)
  return %count, %lengths : tensor<i64>, tensor<6xi64>
}
