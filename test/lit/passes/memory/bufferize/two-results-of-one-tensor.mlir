// RUN: mlc-opt %s --bufferize | FileCheck %s
// Two ops overwrite the same tensor, both results are read: each has a buffer of its own, whether the first is read as it is
// or through a view.
// CHECK-LABEL: func.func @written
// CHECK: vector.transfer_write %arg0, %[[FIRST:.*]][%c0]
// CHECK: vector.transfer_write %arg1, %[[SECOND:.*]][%c0]
// CHECK: vector.transfer_read %[[FIRST]][
// CHECK: vector.transfer_read %[[SECOND]][
func.func @written(%v: vector<4xf32>, %w: vector<4xf32>) -> vector<4xf32> {
  %pad = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %first = vector.transfer_write %v, %e[%i] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %second = vector.transfer_write %w, %e[%i] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %x = vector.transfer_read %first[%i], %pad {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %y = vector.transfer_read %second[%i], %pad {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %z = arith.subf %x, %y : vector<4xf32>
  return %z : vector<4xf32>
}

// CHECK-LABEL: func.func @filled
// CHECK: linalg.fill ins(%arg0 : f32) outs(%[[FIRST:.*]] : memref<1xf32>)
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[FIRST]]
// CHECK-NOT: outs(%[[FIRST]] :
// CHECK: memref.load %[[VIEW]]
func.func @filled(%a: f32, %b: f32) -> f32 {
  %i = arith.constant 0 : index
  %e = tensor.empty() : tensor<1xf32>
  %first = linalg.fill ins(%a : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %view = tensor.expand_shape %first [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %second = linalg.fill ins(%b : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %x = tensor.extract %view[%i, %i] : tensor<1x1xf32>
  %y = tensor.extract %second[%i] : tensor<1xf32>
  %z = arith.subf %x, %y : f32
  return %z : f32
}

// The second overwrites what nobody reads any more: in place.
// CHECK-LABEL: func.func @in_turn
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @in_turn(%a: f32, %b: f32) -> f32 {
  %i = arith.constant 0 : index
  %e = tensor.empty() : tensor<1xf32>
  %first = linalg.fill ins(%a : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %x = tensor.extract %first[%i] : tensor<1xf32>
  %second = linalg.fill ins(%b : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %y = tensor.extract %second[%i] : tensor<1xf32>
  %z = arith.subf %x, %y : f32
  return %z : f32
}
