// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize=must-infer-memory-space | FileCheck %s --check-prefix=INFER
// What is copied, cast or cut stays in its memory space.
// CHECK-LABEL: func.func @spaces(
// CHECK-SAME: -> (memref<4xf32, 1>, memref<2x2xf32, 1>)
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32, 1>
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<4xf32, 1>
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: memref.store %arg0, %[[B]][%arg1] : memref<4xf32, 1>
// CHECK: memref.expand_shape {{.*}} into memref<2x2xf32, 1>
// INFER: memref.alloc() {{.*}} : memref<4xf32, 1>
func.func @spaces(%x: f32, %i: index) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%i] : tensor<4xf32>
  %3 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %2, %3 : tensor<4xf32>, tensor<2x2xf32>
}
