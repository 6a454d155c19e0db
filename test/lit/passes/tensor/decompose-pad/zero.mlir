// RUN: mlc-opt %s --decompose-pad | FileCheck %s
// CHECK-LABEL: func.func @pad
func.func @pad(%x: tensor<4x4xf32>) -> tensor<6x6xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK: %[[FILLED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x6xf32>)
  // CHECK: linalg.yield %[[ZERO]]
  // CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[FILLED]][1, 1] [4, 4] [1, 1]
  // CHECK: %[[COPY:.*]] = linalg.generic {{.*}} outs(%[[MIDDLE]] : tensor<4x4xf32>)
  // CHECK: tensor.insert_slice %[[COPY]] into %[[FILLED]][1, 1] [4, 4] [1, 1]
  // CHECK-NOT: tensor.pad
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %padded : tensor<6x6xf32>
}
