// RUN: mlc-opt %s --linalg-batch-loop | FileCheck %s
// RUN: mlc-opt %s --linalg-batch-loop --linalg-batch-loop | FileCheck %s
// A pooling of padded images is a loop over them, each of static shape and computed where it goes.
// CHECK-LABEL: func.func private @pool(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index){{.*}}mlc.notes = ["image by image"]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[ALL:.*]] =
// CHECK: %[[IMAGE:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0, 0, 0] [1, 8, 8, 4]
// CHECK: %[[PLACE:.*]] = tensor.extract_slice %[[ALL]][%[[I]], 0, 0, 0] [1, 5, 5, 4]
// CHECK: %[[PADDED:.*]] = tensor.pad %[[IMAGE]]
// CHECK: } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
// CHECK: %[[FILLED:.*]] = linalg.fill {{.*}} outs(%[[PLACE]] : tensor<1x5x5x4xf32>)
// CHECK: %[[POOLED:.*]] = linalg.pooling_nhwc_max {{.*}} outs(%[[FILLED]]
// CHECK: tensor.insert_slice %[[POOLED]] into %[[ALL]][%[[I]], 0, 0, 0]
// CHECK-NOT: tensor<?x10x10x4xf32>
func.func private @pool(%x: tensor<?x8x8x4xf32>, %n: index) -> tensor<?x5x5x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %low : f32
  } : tensor<?x8x8x4xf32> to tensor<?x10x10x4xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty(%n) : tensor<?x5x5x4xf32>
  %init = linalg.fill ins(%low : f32) outs(%empty : tensor<?x5x5x4xf32>) -> tensor<?x5x5x4xf32>
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %window : tensor<?x10x10x4xf32>, tensor<2x2xf32>) outs(%init : tensor<?x5x5x4xf32>) -> tensor<?x5x5x4xf32>
  return %0 : tensor<?x5x5x4xf32>
}

// What is given back may be padded itself: how many images there are is asked of it, not for each.
// CHECK-LABEL: func.func private @padded(
// CHECK: scf.for
// CHECK: tensor.pad %{{.*}} low[0, 1, 1, 0]
// CHECK: } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
func.func private @padded(%x: tensor<?x8x8x4xf32>) -> tensor<?x10x10x4xf32> {
  %low = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %low : f32
  } : tensor<?x8x8x4xf32> to tensor<?x10x10x4xf32>
  return %padded : tensor<?x10x10x4xf32>
}
