// RUN: mlc-opt %s --graph-check-lowerable --verify-diagnostics --split-input-file
// What nothing below can do is told at the op, all of it in one run.
// expected-error @below {{input 'y' is not supported: elements of type i4}}
func.func @elements(%x: tensor<4xf32>, %y: tensor<4xi4> loc("y")) -> (tensor<4xf32>, tensor<4xi4>) {
  // expected-error @below {{'graph.cast' op is not supported: elements of type f6E3M2FN}}
  %0 = graph.cast %x : (tensor<4xf32>) -> tensor<4xf6E3M2FN>
  // expected-error @below {{'graph.cast' op is not supported: elements of type f6E3M2FN}}
  %1 = graph.cast %0 : (tensor<4xf6E3M2FN>) -> tensor<4xf32>
  // expected-error @below {{'graph.add' op is not supported: elements of type i4}}
  %2 = graph.add %y, %y : (tensor<4xi4>, tensor<4xi4>) -> tensor<4xi4>
  return %1, %2 : tensor<4xf32>, tensor<4xi4>
}

// -----

// Sizes follow from the inputs: those are told, and what is wrong beside.
// expected-error @+2 {{input 'x' is not supported: size 2 of tensor<1x3x?x8xf32> is unknown, it must be fixed in the model}}
// expected-error @+1 {{input 'y' is not supported: its rank is unknown, it must be fixed in the model}}
func.func @inputs(%x: tensor<1x3x?x8xf32> loc("x"), %y: tensor<*xf32> loc("y"), %w: tensor<4x3x3x3xf32>)
    -> (tensor<1x4x?x6xf32>, tensor<*xf6E2M3FN>) {
  %0 = graph.conv %x, %w : (tensor<1x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x6xf32>
  // expected-error @below {{'graph.cast' op is not supported: elements of type f6E2M3FN}}
  %1 = graph.cast %y : (tensor<*xf32>) -> tensor<*xf6E2M3FN>
  return %0, %1 : tensor<1x4x?x6xf32>, tensor<*xf6E2M3FN>
}

// -----

// What is given back as it came is of a type that a caller must have.
// expected-error @below {{input 'x' is not supported: elements of type f6E2M3FN}}
func.func @returned(%x: tensor<4xf6E2M3FN> loc("x")) -> tensor<4xf6E2M3FN> {
  // expected-error @below {{output 'x' is not supported: elements of type f6E2M3FN}}
  return %x : tensor<4xf6E2M3FN>
}

// -----

// Of a size that has a name, most ops take what it is when the model runs.
func.func @open(%b: tensor<?x6x4xf32, #graph.dims<["batch", "", ""]>> loc("b"), %s: tensor<?x2x6xf32, #graph.dims<["batch", "", ""]>>,
                %n: tensor<i64>, %o: tensor<f32>) -> tensor<?x3xi64, #graph.dims<["10*batch", ""]>> {
  // expected-error @below {{'graph.non_max_suppression' op is not supported: size '10*batch' of tensor<?x3xi64, #graph.dims<["10*batch", ""]>> must be known when compiling: give it with --dim}}
  %0 = graph.non_max_suppression %b, %s, %n, %o, %o {most = 5 : i64} : (tensor<?x6x4xf32, #graph.dims<["batch", "", ""]>>, tensor<?x2x6xf32, #graph.dims<["batch", "", ""]>>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #graph.dims<["10*batch", ""]>>
  return %0 : tensor<?x3xi64, #graph.dims<["10*batch", ""]>>
}

// -----

// Nothing to tell: unsigned elements, and what became a constant.
func.func @fine(%x: tensor<4xui8>) -> (tensor<4xui8>, tensor<2xi64>) {
  %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
  return %x, %0 : tensor<4xui8>, tensor<2xi64>
}

// -----

// Divisors of means stand in a constant, where windows hang over: of all places, and there is a limit. Whole windows need none.
func.func @means(%x: tensor<1x1x100000x100000xf32>) -> (tensor<1x1x100000x100000xf32>, tensor<1x1x99998x99998xf32>) {
  // expected-error @below {{'graph.average_pool' op is not supported: means that leave out the padding, of too many windows}}
  %0 = graph.average_pool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x100000x100000xf32>) -> tensor<1x1x100000x100000xf32>
  %1 = graph.average_pool %x {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x100000x100000xf32>) -> tensor<1x1x99998x99998xf32>
  return %0, %1 : tensor<1x1x100000x100000xf32>, tensor<1x1x99998x99998xf32>
}
