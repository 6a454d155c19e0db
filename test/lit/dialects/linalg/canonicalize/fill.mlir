// RUN: mlc-opt %s --canonicalize | FileCheck %s
// What is made of a filled tensor is filled instead.

// CHECK-LABEL: func.func @reshaped
// CHECK: %[[T:.*]] = tensor.collapse_shape %arg0
// CHECK: linalg.fill ins(%arg1 : f32) outs(%[[T]] : tensor<8xf32>)
func.func @reshaped(%t: tensor<2x4xf32>, %x: f32) -> tensor<8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = tensor.collapse_shape %f [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @read
// CHECK: return %arg1
func.func @read(%t: tensor<?xf32>, %x: f32, %i: index) -> f32 {
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.extract %f[%i] : tensor<?xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @padded
// CHECK: %[[E:.*]] = tensor.empty() : tensor<7xf32>
// CHECK: linalg.fill ins(%arg1 : f32) outs(%[[E]] : tensor<7xf32>)
func.func @padded(%t: tensor<4xf32>, %x: f32) -> tensor<7xf32> {
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %p = tensor.pad %f low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %p : tensor<7xf32>
}

// Another value stays where it is.
// CHECK-LABEL: func.func @padded_with_another
// CHECK: tensor.pad
func.func @padded_with_another(%t: tensor<4xf32>, %x: f32, %y: f32) -> tensor<7xf32> {
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %p = tensor.pad %f low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %y : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %p : tensor<7xf32>
}

// CHECK-LABEL: func.func @padding_inserted
// CHECK-NOT: tensor.pad
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[3] [2] [1]
func.func @padding_inserted(%t: tensor<2xf32>, %x: f32) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<2xf32> to tensor<4xf32>
  %r = tensor.insert_slice %p into %f[2] [4] [1] : tensor<4xf32> into tensor<9xf32>
  return %r : tensor<9xf32>
}

// CHECK-LABEL: func.func @copied
// CHECK: linalg.fill ins(%arg2 : f32) outs(%arg1 : tensor<?xf32>)
// CHECK-NOT: linalg.copy
func.func @copied(%t: tensor<?xf32>, %u: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %c = linalg.copy ins(%f : tensor<?xf32>) outs(%u : tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}
