// RUN: mlc-opt %s --linalg-generalize-named-ops --linalg-specialize-generic-ops | FileCheck %s
// What was a named op before is one again.
// CHECK-LABEL: func.func @elementwise
// CHECK: %[[E:.*]] = linalg.exp
// CHECK: %[[A:.*]] = linalg.add ins(%[[E]], %arg0
// CHECK: linalg.div ins(%[[A]], %[[E]]
func.func @elementwise(%x: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = linalg.add ins(%0, %x : tensor<?x4xf32>, tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = linalg.div ins(%1, %0 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @copies
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : memref<4x5xf32>)
// CHECK: linalg.copy ins(%{{.*}} : memref<4x5xf32>) outs(%{{.*}} : memref<4x5xf32>)
func.func @copies(%x: f32, %y: memref<4x5xf32>, %z: memref<4x5xf32>) {
  linalg.fill ins(%x : f32) outs(%y : memref<4x5xf32>)
  linalg.copy ins(%y : memref<4x5xf32>) outs(%z : memref<4x5xf32>)
  return
}

// CHECK-LABEL: func.func @products
// CHECK: linalg.matmul ins(%{{.*}} : tensor<3x4xf16>, tensor<4x5xf16>) outs(%{{.*}} : tensor<3x5xf32>)
// CHECK: linalg.matmul_transpose_a
// CHECK: linalg.batch_matmul_transpose_b
func.func @products(%a: tensor<3x4xf16>, %b: tensor<4x5xf16>, %c: tensor<3x5xf32>,
                    %ta: tensor<4x3xf16>, %x: tensor<2x3x4xf32>, %y: tensor<2x5x4xf32>,
                    %z: tensor<2x3x5xf32>) -> (tensor<3x5xf32>, tensor<2x3x5xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<3x4xf16>, tensor<4x5xf16>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = linalg.matmul_transpose_a ins(%ta, %b : tensor<4x3xf16>, tensor<4x5xf16>) outs(%0 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = linalg.batch_matmul_transpose_b ins(%x, %y : tensor<2x3x4xf32>, tensor<2x5x4xf32>) outs(%z : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %1, %2 : tensor<3x5xf32>, tensor<2x3x5xf32>
}
