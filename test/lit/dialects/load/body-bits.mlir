// RUN: not mlc-opt %s --load-dialect=%S/Inputs/bodies.yaml --graph-to-linalg --split-input-file 2>&1 | FileCheck %s
// Floats have no bits to move, and bits are as many on both sides.
// CHECK: error: in body "shift_left(x, x)", at column 17: no bits of f32 are moved
func.func @moved(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = bodies.moved %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: error: in body "bits(x)", at column 8: the bits of f32 are not as many as those of i64
func.func @seen(%x: tensor<3xf32>) -> tensor<3xi64> {
  %0 = bodies.seen %x : tensor<3xf32> -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
