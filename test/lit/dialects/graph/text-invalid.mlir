// RUN: mlc-opt %s --verify-diagnostics --split-input-file
func.func @shapes(%a: tensor<3xsi64>, %b: tensor<2xsi64>) -> tensor<3xsi64> {
  // expected-error @below {{operand 1 has another shape than the first}}
  %c = graph.text %a, %b {what = "concat"} : (tensor<3xsi64>, tensor<2xsi64>) -> tensor<3xsi64>
  return %c : tensor<3xsi64>
}

// -----

func.func @many(%a: tensor<3xsi64>) -> tensor<3xsi64> {
  // expected-error @below {{has 5 operands, expected one to four}}
  %c = graph.text %a, %a, %a, %a, %a {what = "part"} : (tensor<3xsi64>, tensor<3xsi64>, tensor<3xsi64>, tensor<3xsi64>, tensor<3xsi64>) -> tensor<3xsi64>
  return %c : tensor<3xsi64>
}
