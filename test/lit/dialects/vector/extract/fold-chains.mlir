// RUN: mlc-opt %s --canonicalize | FileCheck %s
// What is extracted is sought where it was put in.

// CHECK-LABEL: func.func @extract_of_extract
// CHECK: vector.extract %arg0[1, 2] : f32 from vector<2x4xf32>
func.func @extract_of_extract(%v: vector<2x4xf32>) -> f32 {
  %row = vector.extract %v[1] : vector<4xf32> from vector<2x4xf32>
  %e = vector.extract %row[2] : f32 from vector<4xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @inserted_elsewhere
// CHECK: vector.extract %arg0[1] : vector<4xf32> from vector<2x4xf32>
func.func @inserted_elsewhere(%v: vector<2x4xf32>, %row: vector<4xf32>) -> vector<4xf32> {
  %w = vector.insert %row, %v[0] : vector<4xf32> into vector<2x4xf32>
  %e = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  return %e : vector<4xf32>
}

// CHECK-LABEL: func.func @inserted_here_then_transposed
// CHECK: return %arg1 : f32
func.func @inserted_here_then_transposed(%v: vector<2x4xf32>, %x: f32) -> f32 {
  %w = vector.insert %x, %v[1, 3] : f32 into vector<2x4xf32>
  %t = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %e = vector.extract %t[3, 1] : f32 from vector<4x2xf32>
  return %e : f32
}

// A column of the transposed vector is a row of the source, but only a whole one.
// CHECK-LABEL: func.func @through_transpose
// CHECK: vector.transpose
// CHECK: vector.extract %{{.*}}[3] : vector<2xf32>
func.func @through_transpose(%v: vector<2x4xf32>) -> vector<2xf32> {
  %t = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %e = vector.extract %t[3] : vector<2xf32> from vector<4x2xf32>
  return %e : vector<2xf32>
}

// CHECK-LABEL: func.func @unknown_insertion
// CHECK: vector.insert
// CHECK: vector.extract
func.func @unknown_insertion(%v: vector<4xf32>, %x: f32, %i: index) -> f32 {
  %w = vector.insert %x, %v[%i] : f32 into vector<4xf32>
  %e = vector.extract %w[1] : f32 from vector<4xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @through_slices
// CHECK: vector.extract %arg0[1, 2] : f32
func.func @through_slices(%v: vector<2x4xf32>, %w: vector<8x8xf32>) -> f32 {
  %in = vector.insert_strided_slice %v, %w {offsets = [2, 4], strides = [1, 1]} : vector<2x4xf32> into vector<8x8xf32>
  %part = vector.extract_strided_slice %in {offsets = [2, 4], sizes = [4, 4], strides = [1, 1]} : vector<8x8xf32> to vector<4x4xf32>
  %e = vector.extract %part[1, 2] : f32 from vector<4x4xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @through_shape_cast
// CHECK: vector.extract %arg0[1, 0] : f32
func.func @through_shape_cast(%v: vector<3x2xf32>) -> f32 {
  %flat = vector.shape_cast %v : vector<3x2xf32> to vector<6xf32>
  %e = vector.extract %flat[2] : f32 from vector<6xf32>
  return %e : f32
}
