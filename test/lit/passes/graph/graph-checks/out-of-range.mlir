// RUN: mlc-opt %s --graph-checks --verify-diagnostics --split-input-file
// What constants show to be wrong is told when compiling.
func.func @index(%data: tensor<5x4xf32>) -> tensor<5x2xf32> {
  %indices = graph.constant dense<[-4, 4]> : tensor<2xi64>
  // expected-error @below {{'graph.gather' op index 4 is outside of tensor<5x4xf32>}}
  %0 = graph.gather %data, %indices {axis = 1 : i64} : (tensor<5x4xf32>, tensor<2xi64>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// -----

func.func @tuple(%data: tensor<5x4xf32>) -> tensor<2xf32> {
  %tuples = graph.constant dense<[[4, 3], [3, -5]]> : tensor<2x2xi64>
  // expected-error @below {{'graph.gather_nd' op index -5 is outside of tensor<5x4xf32>}}
  %0 = graph.gather_nd %data, %tuples : (tensor<5x4xf32>, tensor<2x2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @divisor(%n: tensor<3xi32>) -> tensor<3xi32> {
  %divisor = graph.constant dense<[1, 0, 7]> : tensor<3xi32>
  // expected-error @below {{'graph.mod' op divides by 0}}
  %0 = graph.mod %n, %divisor : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
