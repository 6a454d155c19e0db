// RUN: mlc-opt %s --verify-diagnostics --split-input-file
// What is no ensemble of trees: places out of range, cycles, lists of other lengths.
func.func @types(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'thresholds' has type tensor<2xf64>}}
  %0 = graph.tree_ensemble %x {thresholds = dense<1.0> : tensor<2xf64>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @elements(%x: tensor<4x2xf16>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op operand has elements of type f16, expected f32 or f64}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf16>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @sizes(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'left' has type tensor<1xi32>}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<2> : tensor<1xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @declared(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'weights' has no elements}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense_resource<none> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @many(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'weights' has more than 2147483647 elements}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1000000000xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @feature(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op node 1 looks at feature 2 of 2}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 2]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @leaf(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'left' of node 1 is 5, expected a later node of its tree or a leaf}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 5]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @itself(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'right' of node 0 is 0, expected a later node of its tree or a leaf}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[0, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @another_tree(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'right' of node 0 is 1, expected a later node of its tree or a leaf}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<[0, 1]> : tensor<2xi32>, targets = dense<0> : tensor<2xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @targets(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op tree 0 has targets from 1 on, 1 of 1}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<1> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @no_targets(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 'num_targets' is 0}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 0 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @root(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op the root of tree 0 is 1, expected the first node behind those of trees before it, or a leaf}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<1> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @order(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op the roots of trees are not in order}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<2xi32>, targets = dense<0> : tensor<2xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @of_no_tree(%x: tensor<4x2xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op 2 nodes are of no tree}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<3> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}

// -----

func.func @no_features(%x: tensor<4x?xf32>) -> tensor<4x1xf64> {
  // expected-error@+1 {{'graph.tree_ensemble' op operand has type tensor<4x?xf32>, expected a known number of columns}}
  %0 = graph.tree_ensemble %x {thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>, weights = dense<1.0> : tensor<3x1xf32>, num_targets = 1 : i64} : (tensor<4x?xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}
