// RUN: mlc-opt %s --tile=tile-sizes=0,2 --linalg-pack | FileCheck %s
// Panels of two columns, the last one filled up with zeros; each caller's constant is packed, once for both calls of @first.
module {
  // CHECK-LABEL: func.func private @product
  // CHECK-SAME: (%{{.*}}: tensor<1x2xf32>, %[[W:.*]]: tensor<2x2x2xf32>,
  // CHECK-SAME: "argument 1 packed in panels of 2"
  // CHECK: tensor.extract_slice %[[W]][0, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2x2xf32> to tensor<2x2xf32>
  // CHECK: tensor.extract_slice %[[W]][1, 0, 0] [1, 2, 1] [1, 1, 1] : tensor<2x2x2xf32> to tensor<2x1xf32>
  func.func private @product(%x: tensor<1x2xf32>, %w: tensor<2x3xf32>, %init: tensor<1x3xf32>) -> tensor<1x3xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x3xf32>) outs(%init : tensor<1x3xf32>) -> tensor<1x3xf32>
    return %0 : tensor<1x3xf32>
  }
  // CHECK-LABEL: func.func @first
  // CHECK: arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [4.000000e+00, 5.000000e+00]], {{\[\[}}3.000000e+00, 0.000000e+00], [6.000000e+00, 0.000000e+00]]]> : tensor<2x2x2xf32>
  // CHECK-NOT: tensor<2x3xf32>
  func.func @first(%x: tensor<1x2xf32>, %init: tensor<1x3xf32>) -> tensor<1x3xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %0 = func.call @product(%x, %w, %init) : (tensor<1x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    %1 = func.call @product(%x, %w, %0) : (tensor<1x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    return %1 : tensor<1x3xf32>
  }
}
