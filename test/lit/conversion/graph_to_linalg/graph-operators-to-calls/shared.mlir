// RUN: mlc-opt %s --graph-operators-to-calls | FileCheck %s
// Operators that agree in all they say share a declaration, which says what they are; another attribute is another one.
// CHECK-LABEL: func.func private @kernel_0
// CHECK: call @operator_0(%arg0) : (tensor<4xui8>) -> tensor<2xf32>
// CHECK: call @operator_0(%arg0) : (tensor<4xui8>) -> tensor<2xf32>
// CHECK: call @operator_1(%arg0) : (tensor<4xui8>) -> tensor<2xf32>
// CHECK: func.func private @operator_0(tensor<4xui8>) -> tensor<2xf32> attributes {mlc.operator = {attributes = {n = 1 : i64}, domain = "com.acme", function = "com_acme_F", inputs = [unit, tensor<4xui8>], library = "libf.so", name = "F", opset = 0 : i64, outputs = [tensor<2xf32>]}}
// CHECK: func.func private @operator_1
func.func private @kernel_0(%x: tensor<4xui8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = graph.operator %x {function = "com_acme_F", library = "libf.so", domain = "com.acme", name = "F", attributes = {n = 1 : i64}, absent = array<i64: 0>} : (tensor<4xui8>) -> tensor<2xf32>
  %b = graph.operator %x {function = "com_acme_F", library = "libf.so", domain = "com.acme", name = "F", attributes = {n = 1 : i64}, absent = array<i64: 0>} : (tensor<4xui8>) -> tensor<2xf32>
  %c = graph.operator %x {function = "com_acme_F", library = "libf.so", domain = "com.acme", name = "F", attributes = {n = 2 : i64}, absent = array<i64: 0>} : (tensor<4xui8>) -> tensor<2xf32>
  return %a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
