// RUN: mlc-opt %s --decompose-pad | FileCheck %s
// Points that would lie half a page apart get a cache line between them.
// CHECK-LABEL: func.func @pad
// CHECK: %[[FILLED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x6x528xf32>)
// CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[FILLED]][1, 1, 0] [4, 4, 512] [1, 1, 1]
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} outs(%[[MIDDLE]] : tensor<4x4x512xf32>)
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %[[COPY]] into %[[FILLED]][1, 1, 0] [4, 4, 512] [1, 1, 1]
// CHECK: %[[RESULT:.*]] = tensor.extract_slice %[[PADDED]][0, 0, 0] [6, 6, 512] [1, 1, 1]
// CHECK: return %[[RESULT]]
func.func @pad(%x: tensor<4x4x512xf32>) -> tensor<6x6x512xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<4x4x512xf32> to tensor<6x6x512xf32>
  return %padded : tensor<6x6x512xf32>
}
