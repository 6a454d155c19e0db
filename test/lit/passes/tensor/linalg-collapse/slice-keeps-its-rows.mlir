// RUN: mlc-opt %s --linalg-collapse | FileCheck %s
// A slice has gaps between its rows: they do not walk memory as one. Nor do the rows of a window.
// CHECK-LABEL: func.func @into_middle
// CHECK-NOT: collapse_shape
func.func @into_middle(%x: tensor<4x8xf32>, %dest: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %middle = tensor.extract_slice %dest[1, 1] [4, 8] [1, 1] : tensor<6x10xf32> to tensor<4x8xf32>
  %copy = linalg.copy ins(%x : tensor<4x8xf32>) outs(%middle : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = tensor.insert_slice %copy into %dest[1, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}

// CHECK-LABEL: func.func @window
// CHECK-NOT: collapse_shape
func.func @window(%x: tensor<2x6x6x8xf32>, %w: tensor<3x3x8x16xf32>, %init: tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x6x6x8xf32>, tensor<3x3x8x16xf32>) outs(%init : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
  return %0 : tensor<2x4x4x16xf32>
}
