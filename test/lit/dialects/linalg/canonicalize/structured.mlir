// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Structured ops that do nothing, or that know their shapes from each other.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @identity
// CHECK: return %arg1, %arg0
func.func @identity(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c, %c : tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
    linalg.yield %y, %x : f32, f32
  } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @inferred
// CHECK: %[[B:.*]] = tensor.cast %arg1 : tensor<?x?xf32> to tensor<4x5xf32>
// CHECK: %[[R:.*]] = linalg.matmul ins(%arg0, %[[B]] : tensor<3x4xf32>, tensor<4x5xf32>) outs(%arg2 : tensor<3x5xf32>)
// CHECK: return %[[R]]
func.func @inferred(%a: tensor<3x4xf32>, %b: tensor<?x?xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<?x?xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @cast_of_result
// CHECK: %[[C:.*]] = tensor.cast %arg1 : tensor<?xf32> to tensor<4xf32>
// CHECK: linalg.exp ins(%{{.*}} : tensor<4xf32>) outs(%[[C]] : tensor<4xf32>)
func.func @cast_of_result(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK-NEXT: linalg.exp ins(%arg0 : memref<4xf32>) outs(%arg0 : memref<4xf32>)
// CHECK-NEXT: return
func.func @buffers(%a: memref<4xf32>, %none: memref<0xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  linalg.copy ins(%c : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.exp ins(%none : memref<0xf32>) outs(%none : memref<0xf32>)
  linalg.exp ins(%c : memref<?xf32>) outs(%c : memref<?xf32>)
  return
}
