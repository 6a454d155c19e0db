// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Insertions of constants, of everything, and of what was there before.

// CHECK-LABEL: func.func @everything
// CHECK: vector.broadcast %arg0 : vector<4xf32> to vector<1x4xf32>
func.func @everything(%row: vector<4xf32>, %v: vector<1x4xf32>) -> vector<1x4xf32> {
  %w = vector.insert %row, %v[0] : vector<4xf32> into vector<1x4xf32>
  return %w : vector<1x4xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: dense<{{\[}}[0, 0], [7, 7]]> : vector<2x2xi32>
// CHECK-DAG: dense<[0, 9, 0]> : vector<3xi32>
// CHECK-DAG: dense<{{\[}}[0, 0, 0], [0, 7, 7]]> : vector<2x3xi32>
// CHECK-NOT: vector.insert
func.func @constants() -> (vector<2x2xi32>, vector<3xi32>, vector<2x3xi32>) {
  %zero = arith.constant dense<0> : vector<2x2xi32>
  %zero3 = arith.constant dense<0> : vector<3xi32>
  %zero6 = arith.constant dense<0> : vector<2x3xi32>
  %seven = arith.constant dense<7> : vector<2xi32>
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : index
  %a = vector.insert %seven, %zero[1] : vector<2xi32> into vector<2x2xi32>
  %b = vector.insertelement %nine, %zero3[%one : index] : vector<3xi32>
  %c = vector.insert_strided_slice %seven, %zero6 {offsets = [1, 1], strides = [1]} : vector<2xi32> into vector<2x3xi32>
  return %a, %b, %c : vector<2x2xi32>, vector<3xi32>, vector<2x3xi32>
}

// CHECK-LABEL: func.func @put_back
// CHECK: return %arg0
func.func @put_back(%v: vector<4x4xf32>) -> vector<4x4xf32> {
  %s = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %w = vector.insert_strided_slice %s, %v {offsets = [1, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  return %w : vector<4x4xf32>
}

// CHECK-LABEL: func.func @put_elsewhere
// CHECK: vector.insert_strided_slice
func.func @put_elsewhere(%v: vector<4x4xf32>) -> vector<4x4xf32> {
  %s = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %w = vector.insert_strided_slice %s, %v {offsets = [0, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  return %w : vector<4x4xf32>
}

// The slice reaches into what was inserted, from before it.
// CHECK-LABEL: func.func @partly_over
// CHECK: vector.insert_strided_slice
// CHECK: vector.extract_strided_slice
func.func @partly_over(%v: vector<2xf32>, %w: vector<8xf32>) -> vector<3xf32> {
  %in = vector.insert_strided_slice %v, %w {offsets = [2], strides = [1]} : vector<2xf32> into vector<8xf32>
  %s = vector.extract_strided_slice %in {offsets = [1], sizes = [3], strides = [1]} : vector<8xf32> to vector<3xf32>
  return %s : vector<3xf32>
}
