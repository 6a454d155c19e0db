// RUN: not mlc-opt %s --interpret --entry=gather 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not mlc-opt %s --graph-to-linalg --interpret --entry=gather 2>&1 | FileCheck %s --check-prefix=GATHER-LOW
// RUN: not mlc-opt %s --interpret --entry=tuples 2>&1 | FileCheck %s --check-prefix=TUPLES
// RUN: not mlc-opt %s --graph-to-linalg --interpret --entry=tuples 2>&1 | FileCheck %s --check-prefix=TUPLES-LOW
// RUN: not mlc-opt %s --interpret --entry=empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mlc-opt %s --graph-to-linalg --interpret --entry=empty 2>&1 | FileCheck %s --check-prefix=EMPTY-LOW
// RUN: not mlc-opt %s --interpret --entry=divide 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not mlc-opt %s --graph-to-linalg --interpret --entry=divide 2>&1 | FileCheck %s --check-prefix=DIVIDE-LOW
// The same inputs are wrong above and below the lowering.
func.func @gather() -> tensor<2xi32> {
  %data = graph.constant dense<[1, 2, 3]> : tensor<3xi32>
  %one = graph.constant dense<[-2, 2]> : tensor<2xi32>
  %indices = graph.add %one, %one : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // GATHER: error: {{.*}}index -4 is not within 3 elements
  // GATHER-LOW: assertion failed: gather: an index is outside of [-3, 2]
  %0 = graph.gather %data, %indices : (tensor<3xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @tuples() -> tensor<2xi32> {
  %data = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %tuples = graph.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi64>
  %zero = graph.constant dense<0> : tensor<i64>
  %same = graph.add %tuples, %zero : (tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  // TUPLES: error: {{.*}}index 2 is not within 2 elements
  // TUPLES-LOW: assertion failed: gather_nd: an index is outside of its dimension
  %0 = graph.gather_nd %data, %same : (tensor<2x3xi32>, tensor<2x2xi64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @divide() -> tensor<2xi32> {
  %n = graph.constant dense<[1, 2]> : tensor<2xi32>
  %by = graph.sub %n, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // DIVIDE: error: {{.*}}divides by zero
  // DIVIDE-LOW: assertion failed: div: divides by 0
  %0 = graph.div %n, %by : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// Nothing is read, and the index is wrong all the same.
func.func @empty() -> tensor<0x1xi32> {
  %data = graph.constant dense<> : tensor<0x2xi32>
  %one = graph.constant dense<1> : tensor<1xi64>
  %two = graph.add %one, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  // EMPTY: error: {{.*}}index 2 is not within 2 elements
  // EMPTY-LOW: assertion failed: gather: an index is outside of [-2, 1]
  %0 = graph.gather %data, %two {axis = 1 : i64} : (tensor<0x2xi32>, tensor<1xi64>) -> tensor<0x1xi32>
  return %0 : tensor<0x1xi32>
}
