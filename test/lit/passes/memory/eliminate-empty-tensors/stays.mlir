// RUN: mlc-opt %s --eliminate-empty-tensors | FileCheck %s
// Where the place is known too late, what is built has another shape, or a loop yields another
// tensor than it began with.
// CHECK-LABEL: func.func @late(
// CHECK: tensor.empty
// CHECK-NOT: extract_slice
func.func @late(%to: tensor<8xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  %at = arith.addi %n, %n : index
  %r = tensor.insert_slice %made into %to[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @reshaped(
// CHECK: tensor.empty
// CHECK-NOT: extract_slice
func.func @reshaped(%to: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  %row = tensor.expand_shape %made [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  %r = tensor.insert_slice %row into %to[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @other_in_loop(
// CHECK: tensor.empty
// CHECK-NOT: extract_slice
func.func @other_in_loop(%to: tensor<8xf32>, %other: tensor<4xf32>, %n: index) -> tensor<8xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %made = scf.for %i = %n to %n step %n iter_args(%t = %room) -> tensor<4xf32> {
    scf.yield %other : tensor<4xf32>
  }
  %r = tensor.insert_slice %made into %to[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// What is put into the tensor that it grew out of is there.
// CHECK-LABEL: func.func @itself(
// CHECK: %[[ROOM:.*]] = tensor.empty
// CHECK: linalg.fill ins({{.*}}) outs(%[[ROOM]]
// CHECK: linalg.copy ins({{.*}}) outs(%[[ROOM]]
func.func @itself(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %room = tensor.empty() : tensor<4xf32>
  %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.copy ins(%made : tensor<4xf32>) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.insert_slice %made into %room[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}
