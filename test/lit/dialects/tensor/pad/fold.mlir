// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @nothing(%arg0: tensor<?xf32>
// CHECK-NEXT: return %arg0
func.func @nothing(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[%c0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
// Unless it must stay to be bufferised.
// CHECK-LABEL: func.func @nofold
// CHECK: tensor.pad %arg0 nofold
func.func @nofold(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @widths(%arg0: tensor<4x?xf32>
// CHECK: tensor.pad %arg0 low[2, 0] high[1, 0]
// CHECK: tensor<4x?xf32> to tensor<7x?xf32>
func.func @widths(%t: tensor<4x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c2, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// Rows are padded, then columns: at once.
// CHECK-LABEL: func.func @both(%arg0: tensor<9x9xf32>, %arg1: index, %arg2: index)
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[3, 2] [%arg1, %arg2] [1, 1] : tensor<9x9xf32> to tensor<?x?xf32>
// CHECK-NEXT: tensor.pad %[[S]] low[0, 0] high[%arg1, %arg2]
// CHECK-NOT: tensor.pad
func.func @both(%t: tensor<9x9xf32>, %m: index, %n: index) -> tensor<6x5xf32> {
  %x = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %t[3, 0] [%m, 9] [1, 1] : tensor<9x9xf32> to tensor<?x9xf32>
  %1 = tensor.pad %0 low[0, 0] high[%m, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x9xf32> to tensor<6x9xf32>
  %2 = tensor.extract_slice %1[0, 2] [6, %n] [1, 1] : tensor<6x9xf32> to tensor<6x?xf32>
  %3 = tensor.pad %2 low[0, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<6x?xf32> to tensor<6x5xf32>
  return %3 : tensor<6x5xf32>
}
