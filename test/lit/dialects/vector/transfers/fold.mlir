// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Bounds that are known, and transfers that meet on a tensor.

// CHECK-LABEL: func.func @bounds
// CHECK: vector.transfer_read {{.*}} {in_bounds = [false, true]}
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<4xf32>, memref<?x8xf32>
func.func @bounds(%m: memref<?x8xf32>, %v: vector<4xf32>, %pad: f32) -> vector<2x4xf32> {
  %four = arith.constant 4 : index
  %r = vector.transfer_read %m[%four, %four], %pad : memref<?x8xf32>, vector<2x4xf32>
  vector.transfer_write %v, %m[%four, %four] : vector<4xf32>, memref<?x8xf32>
  return %r : vector<2x4xf32>
}

// CHECK-LABEL: func.func @read_what_was_written
// CHECK: return %arg1
func.func @read_what_was_written(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %pad: f32) -> vector<4xf32> {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %a = vector.transfer_write %v, %t[%zero] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %b = vector.transfer_write %w, %a[%four] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %r = vector.transfer_read %b[%zero], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @maybe_overwritten
// CHECK-COUNT-2: vector.transfer_write
// CHECK: vector.transfer_read
func.func @maybe_overwritten(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %pad: f32, %i: index) -> vector<4xf32> {
  %zero = arith.constant 0 : index
  %a = vector.transfer_write %v, %t[%zero] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %b = vector.transfer_write %w, %a[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %r = vector.transfer_read %b[%zero], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @read_transposed
// CHECK: vector.transpose %arg1, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
func.func @read_transposed(%t: tensor<2x4xf32>, %v: vector<2x4xf32>, %pad: f32) -> vector<4x2xf32> {
  %zero = arith.constant 0 : index
  %a = vector.transfer_write %v, %t[%zero, %zero] : vector<2x4xf32>, tensor<2x4xf32>
  %r = vector.transfer_read %a[%zero, %zero], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<2x4xf32>, vector<4x2xf32>
  return %r : vector<4x2xf32>
}

// CHECK-LABEL: func.func @write_over_write
// CHECK: %[[W:.*]] = vector.transfer_write %arg2, %arg0
// CHECK: return %[[W]]
func.func @write_over_write(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %a = vector.transfer_write %v, %t[%zero] : vector<4xf32>, tensor<8xf32>
  %b = vector.transfer_write %w, %a[%zero] : vector<4xf32>, tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @write_what_was_read
// CHECK: return %arg0
func.func @write_what_was_read(%t: tensor<8xf32>, %i: index, %pad: f32) -> tensor<8xf32> {
  %r = vector.transfer_read %t[%i], %pad : tensor<8xf32>, vector<4xf32>
  %w = vector.transfer_write %r, %t[%i] : vector<4xf32>, tensor<8xf32>
  return %w : tensor<8xf32>
}
