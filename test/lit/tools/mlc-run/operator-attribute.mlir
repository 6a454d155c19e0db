// REQUIRES: mlc
// RUN: not mlc compile %s -o %t.so 2>&1 | FileCheck %s
// A list of lists is nothing that a function could be told.
// CHECK: error: {{.*}}has an entry of 'mlc.operators' that no artefact can hold
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {a = [[1]]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
