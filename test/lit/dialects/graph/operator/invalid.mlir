// RUN: mlc-opt %s --verify-diagnostics --split-input-file
func.func @nothing(%x: tensor<6xf32>) {
  // expected-error @below {{expected at least one result}}
  graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {}} : (tensor<6xf32>) -> ()
  return
}

// -----

func.func @places(%x: tensor<6xf32>) {
  // expected-error @below {{'absent' is to be rising numbers of inputs}}
  %y = graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {}, absent = array<i64: 1, 0>} : (tensor<6xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @beyond(%x: tensor<6xf32>) {
  // expected-error @below {{'absent' is to be rising numbers of inputs}}
  %y = graph.operator %x {function = "f", library = "l", domain = "d", name = "o", attributes = {}, absent = array<i64: 2>} : (tensor<6xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @many(%x: tensor<1xf32>) {
  // expected-error @below {{has 65 inputs and results, expected at most 64}}
  %y:64 = "graph.operator"(%x) <{function = "f", library = "l", domain = "d", name = "o", attributes = {}}> : (tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}
