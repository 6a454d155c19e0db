// RUN: mlc-opt %s --graph-to-linalg --verify-diagnostics
func.func @unknown(%a: tensor<3xsi64>) -> tensor<3xsi64> {
  // expected-error @below {{the runtime knows no 'reverse' of strings}}
  %c = graph.text %a {what = "reverse"} : (tensor<3xsi64>) -> tensor<3xsi64>
  return %c : tensor<3xsi64>
}
