// RUN: mlc-opt %s --linalg-strassen=always --target=x86-64-v4 | FileCheck %s
// The filter of a 1 x 1 convolution whose loops were merged: it comes as the matrix that it is.
// CHECK-LABEL: func.func private @pointwise
// CHECK-SAME: %{{.*}}: tensor<196x64xf32>, %[[W:.*]]: tensor<1x7x32x64xf32>
// CHECK-NOT: tensor.collapse_shape
// CHECK: tensor.extract_slice %[[W]]
module attributes {mlc.numerics = "fast"} {
  func.func private @pointwise(%x: tensor<196x64xf32>, %w: tensor<1x1x64x128xf32>, %y: tensor<196x128xf32>) -> tensor<196x128xf32> {
    %m = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<1x1x64x128xf32> into tensor<64x128xf32>
    %0 = linalg.matmul ins(%x, %m : tensor<196x64xf32>, tensor<64x128xf32>) outs(%y : tensor<196x128xf32>) -> tensor<196x128xf32>
    return %0 : tensor<196x128xf32>
  }
  func.func @main(%x: tensor<196x64xf32>, %y: tensor<196x128xf32>) -> tensor<196x128xf32> {
    %w = arith.constant dense<1.0> : tensor<1x1x64x128xf32>
    %0 = call @pointwise(%x, %w, %y) : (tensor<196x64xf32>, tensor<1x1x64x128xf32>, tensor<196x128xf32>) -> tensor<196x128xf32>
    return %0 : tensor<196x128xf32>
  }
}
