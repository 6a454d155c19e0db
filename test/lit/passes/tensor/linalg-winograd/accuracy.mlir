// RUN: mlc-opt %s --linalg-winograd --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s

// Transformed, these filters would be denormal numbers of a few bits. (Filters of corners alone, which only F(4, 3) is bad for, are in test/e2e/numerics.py.)
// CHECK-LABEL: func.func private @tiny
// CHECK: linalg.conv_2d_nhwc_hwcf
module {
  func.func private @tiny(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    // expected-remark @below {{F(4, 3) would not be accurate with its filters}}
    // expected-remark @below {{F(2, 3) would not be accurate with its filters}}
    // expected-remark @below {{stays a convolution: no other form is cheaper}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
  func.func @main(%x: tensor<1x58x58x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %w = arith.constant dense<1.0e-36> : tensor<3x3x64x64xf32>
    %0 = call @tiny(%x, %w, %b) : (tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>, tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
}

// -----

// NaN among the filters: it stays where the convolution has it.
// CHECK-LABEL: func.func private @nan
// CHECK: linalg.conv_2d_nhwc_hwcf
module {
  func.func private @nan(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    // expected-remark @below {{F(4, 3) would not be accurate with its filters}}
    // expected-remark @below {{F(2, 3) would not be accurate with its filters}}
    // expected-remark @below {{stays a convolution: no other form is cheaper}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
  func.func @main(%x: tensor<1x58x58x64xf32>, %b: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %w = arith.constant dense<0x7FC00000> : tensor<3x3x64x64xf32>
    %0 = call @nan(%x, %w, %b) : (tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>, tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
}

// -----

// By default sums over channels are made in blocks, under "fast" they are not.
// CHECK-LABEL: func.func private @deep
// CHECK: linalg.generic {{.*}} attrs = {mlc.sum_block = 16 : i64}
module {
  func.func private @deep(%x: tensor<1x30x30x128xf32>, %w: tensor<3x3x128x128xf32>, %b: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    // expected-remark @below {{by Winograd's F(4, 3)}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%b : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    return %0 : tensor<1x28x28x128xf32>
  }
  func.func @main(%x: tensor<1x30x30x128xf32>, %b: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    %w = arith.constant dense<1.0> : tensor<3x3x128x128xf32>
    %0 = call @deep(%x, %w, %b) : (tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>, tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    return %0 : tensor<1x28x28x128xf32>
  }
}

// -----

// CHECK: module attributes {mlc.numerics = "fast"}
// CHECK: linalg.winograd_input_transform m(4) r(3)
// CHECK-NOT: mlc.sum_block
module attributes {mlc.numerics = "fast"} {
  func.func private @deep(%x: tensor<1x30x30x128xf32>, %w: tensor<3x3x128x128xf32>, %b: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    // expected-remark @below {{by Winograd's F(4, 3)}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%b : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    return %0 : tensor<1x28x28x128xf32>
  }
  func.func @main(%x: tensor<1x30x30x128xf32>, %b: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    %w = arith.constant dense<1.0e-36> : tensor<3x3x128x128xf32>
    %0 = call @deep(%x, %w, %b) : (tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>, tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    return %0 : tensor<1x28x28x128xf32>
  }
}
