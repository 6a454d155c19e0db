// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file | FileCheck %s
// Tensors made of elements.

// CHECK-LABEL: func.func @elements(
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<2x1xf32>
// CHECK: memref.store %arg0, %[[A]][%c0, %c0]
// CHECK: memref.store %arg1, %[[A]][%c1, %c0]
// CHECK: return %[[A]]
func.func @elements(%x: f32, %y: f32) -> tensor<2x1xf32> {
  %0 = tensor.from_elements %x, %y : tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func.func @no_elements(
// CHECK-NOT: memref.store
func.func @no_elements() -> tensor<4294967296x0xf32> {
  %0 = tensor.from_elements : tensor<4294967296x0xf32>
  return %0 : tensor<4294967296x0xf32>
}

// -----

// CHECK-LABEL: func.func @splat(
// CHECK: %[[A:.*]] = memref.alloc(%arg1)
// CHECK: linalg.map outs(%[[A]] : memref<?xf32>)
// CHECK: linalg.yield %arg0
func.func @splat(%x: f32, %n: index) -> tensor<?xf32> {
  %0 = tensor.splat %x[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The body reads another tensor.
// CHECK-LABEL: func.func @generate(
// CHECK: linalg.map outs(%[[A:.*]] : memref<?x3xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[X:.*]] = memref.load %arg1[%[[J]], %[[I]]]
// CHECK: linalg.yield %[[X]]
func.func @generate(%n: index, %t: tensor<?x?xf32>) -> tensor<?x3xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %x = tensor.extract %t[%j, %i] : tensor<?x?xf32>
    tensor.yield %x : f32
  } : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// CHECK-DAG: #[[SUM:.*]] = affine_map<()[s0] -> (s0 + 5)>
// CHECK: func.func @pad(
// CHECK: %[[N:.*]] = affine.apply #[[SUM]]()[%arg1]
// CHECK: %[[A:.*]] = memref.alloc(%[[N]])
// CHECK: linalg.map outs(%[[A]]
// CHECK: %[[MIDDLE:.*]] = memref.subview %[[A]][1] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: 1>>
// CHECK: memref.copy %arg0, %[[MIDDLE]]
func.func @pad(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %t low[1] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @rank_and_reshape(
// CHECK: memref.rank %arg0
// CHECK: memref.reshape %{{.*}}(%arg2) : (memref<?xf32>, memref<2xindex, {{.*}}) -> memref<?x?xf32>
func.func @rank_and_reshape(%u: tensor<*xf32>, %t: tensor<?xf32>, %s: tensor<2xindex>) -> (index, tensor<?x?xf32>) {
  %0 = tensor.rank %u : tensor<*xf32>
  %1 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0, %1 : index, tensor<?x?xf32>
}
