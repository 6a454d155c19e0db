// RUN: mlc-opt %s --linalg-winograd --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s

// Rows and columns padded to whole tiles; a bias is added behind.
// CHECK-LABEL: func.func private @conv
// CHECK-SAME: %[[U:[^ ]+]]: tensor<36x64x64xf32>, %[[B:[^ ]+]]: tensor<1x54x56x64xf32>
// CHECK: %[[P:[^ ]+]] = tensor.pad %{{.+}} low[0, 0, 0, 0] high[0, 2, 0, 0]
// CHECK: %[[V:[^ ]+]] = linalg.winograd_input_transform m(4) r(3) ins(%[[P]] : tensor<1x58x58x64xf32>) outs(%{{.+}} : tensor<6x6x14x14x1x64xf32>)
// CHECK: %[[A:[^ ]+]] = tensor.collapse_shape %[[V]] {{\[\[}}0, 1], [2, 3, 4], [5]]
// CHECK: %[[M:[^ ]+]] = linalg.generic {{.*}} ins(%[[A]], %[[U]] :
// CHECK: %[[E:[^ ]+]] = tensor.expand_shape %[[M]]
// CHECK: %[[Y:[^ ]+]] = linalg.winograd_output_transform m(4) r(3) ins(%[[E]] : tensor<6x6x14x14x1x64xf32>)
// CHECK: %[[S:[^ ]+]] = tensor.extract_slice %[[Y]][0, 0, 0, 0] [1, 54, 56, 64]
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[B]] :
module {
  func.func private @conv(%x: tensor<1x56x58x64xf32>, %w: tensor<3x3x64x64xf32>, %b: tensor<1x54x56x64xf32>) -> tensor<1x54x56x64xf32> {
    // expected-remark @below {{by Winograd's F(4, 3)}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x56x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<1x54x56x64xf32>) -> tensor<1x54x56x64xf32>
    return %0 : tensor<1x54x56x64xf32>
  }
  func.func @main(%x: tensor<1x56x58x64xf32>, %b: tensor<1x54x56x64xf32>) -> tensor<1x54x56x64xf32> {
    %w = arith.constant dense<1.0> : tensor<3x3x64x64xf32>
    %0 = call @conv(%x, %w, %b) : (tensor<1x56x58x64xf32>, tensor<3x3x64x64xf32>, tensor<1x54x56x64xf32>) -> tensor<1x54x56x64xf32>
    return %0 : tensor<1x54x56x64xf32>
  }
}

// -----

// Three channels: the transforms are not worth it.
module {
  func.func private @thin(%x: tensor<1x34x34x3xf32>, %w: tensor<3x3x3x8xf32>, %b: tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32> {
    // expected-remark @below {{stays a convolution: transforms or filters would cost more}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x3xf32>, tensor<3x3x3x8xf32>) outs(%b : tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32>
    return %0 : tensor<1x32x32x8xf32>
  }
}

// -----

// CHECK-LABEL: func.func private @unknown_filter
// CHECK: linalg.conv_2d_nhwc_hwcf
module {
  func.func private @unknown_filter(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    // expected-remark @below {{stays a convolution: not all callers pass a constant filter}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
}

// -----

// Results must stay the convolution's own; stride 2 is none that the algorithm has.
// CHECK: module attributes {mlc.numerics = "strict"}
// CHECK-NOT: winograd
module attributes {mlc.numerics = "strict"} {
  func.func private @conv(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
  func.func @main(%x: tensor<1x58x58x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %w = arith.constant dense<1.0> : tensor<3x3x64x64xf32>
    %0 = call @conv(%x, %w, %b) : (tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>, tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
}

// -----

// CHECK-NOT: winograd
module {
  func.func private @strided(%x: tensor<1x57x57x64xf32>, %w: tensor<3x3x64x64xf32>, %b: tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x57x57x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
    return %0 : tensor<1x28x28x64xf32>
  }
  func.func @main(%x: tensor<1x57x57x64xf32>, %b: tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32> {
    %w = arith.constant dense<1.0> : tensor<3x3x64x64xf32>
    %0 = call @strided(%x, %w, %b) : (tensor<1x57x57x64xf32>, tensor<3x3x64x64xf32>, tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
    return %0 : tensor<1x28x28x64xf32>
  }
}
