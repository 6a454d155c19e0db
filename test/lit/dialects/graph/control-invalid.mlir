// RUN: mlc-opt %s --verify-diagnostics --split-input-file
// Bodies that do not fit their op.
func.func @condition(%c: tensor<2xi1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{the condition has type tensor<2xi1>, expected one element}}
  %0 = graph.if %c : tensor<2xi1> -> tensor<3xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    graph.yield %x : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @branch(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<3xf32> {
  %0 = graph.if %c : tensor<i1> -> tensor<3xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    // expected-error @below {{operand 0 has type tensor<4xf32>, expected tensor<3xf32>}}
    graph.yield %y : tensor<4xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @too_few(%c: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.if %c : tensor<i1> -> tensor<3xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    // expected-error @below {{expected 1 operands, got 0}}
    graph.yield
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @end(%c: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected 'graph.yield' at the end of region 1}}
  %0 = graph.if %c : tensor<i1> -> tensor<3xf32> {
    graph.yield %x : tensor<3xf32>
  } else {
    llvm.unreachable
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @count(%n: tensor<3xi64>, %c: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{the count has type tensor<3xi64>, expected one element}}
  %0 = graph.loop %n, %c, %x : (tensor<3xi64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    graph.yield %go, %v : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @arguments(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected 3 block arguments, got 2}}
  %0 = graph.loop %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>):
    graph.yield %go, %x : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @number(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{block argument 0 has type tensor<i32>, expected tensor<i64>}}
  %0 = graph.loop %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i32>, %go: tensor<i1>, %v: tensor<3xf32>):
    graph.yield %go, %v : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @results(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) {
  // expected-error @below {{expected a result for each of 1 carried values, got 0}}
  graph.loop %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> () {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    graph.yield %go : tensor<i1>
  }
  return
}

// -----

func.func @no_input(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected at least one input}}
  %0 = "graph.scan"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%v: tensor<3xf32>):
    graph.yield %v : tensor<3xf32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @steps(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @below {{its inputs have no first dimension of one size}}
  %0 = graph.scan over %x, %y : tensor<3xf32>, tensor<4xf32> -> tensor<3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    graph.yield %a : tensor<f32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @reversed(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{'output_reversed' has 2 entries, expected 1}}
  %0 = graph.scan over %x : tensor<3xf32> -> tensor<3xf32> attributes {output_reversed = array<i64: 1, 0>} {
  ^bb0(%a: tensor<f32>):
    graph.yield %a : tensor<f32>
  }
  return %0 : tensor<3xf32>
}
