// RUN: mlc-opt %s --linalg-generalize-named-ops -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --linalg-generalize-named-ops --linalg-generalize-named-ops -mlir-print-local-scope | FileCheck %s
// CHECK-LABEL: func.func @product
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[C]], %[[P]]
// CHECK-NEXT: linalg.yield %[[S]]
func.func @product(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// On buffers there is no result, and a scalar stays one.
// CHECK-LABEL: func.func @fill
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : f32) outs(%arg1 : memref<4xf32>) {
func.func @fill(%v: f32, %m: memref<4xf32>) {
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return
}
// Its body has no argument for the output.
// CHECK-LABEL: func.func @map
// CHECK-NEXT: linalg.map
func.func @map(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map { math.absf } ins(%a : tensor<4xf32>) outs(%c : tensor<4xf32>)
  return %0 : tensor<4xf32>
}
