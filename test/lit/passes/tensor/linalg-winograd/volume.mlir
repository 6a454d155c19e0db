// RUN: mlc-opt %s --interpret --entry main --input iota --input iota > %t.before
// RUN: mlc-opt %s --linalg-winograd="m=2" --interpret --entry main --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --linalg-winograd="m=2" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// A filter of three dimensions, 3 x 3 in the last two: the frames that it covers are channels of one image, and the filter's rows follow them.
// REMARK: remark: over frames, 2 side by side
// REMARK: remark: by Winograd's F(2, 3)
// CHECK-LABEL: func.func private @conv(
// CHECK-SAME: tensor<16x4x3xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]{{.*}} ins(%{{.*}} : tensor<1x6x6x8x2xf32>) outs(%{{.*}} : tensor<1x2x6x8x2x2xf32>)
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x2x6x8x2x2xf32> into tensor<2x6x8x4xf32>
// CHECK: linalg.winograd_input_transform
// CHECK: linalg.winograd_output_transform {{.*}} -> tensor<2x4x6x3xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<2x4x6x3xf32> into tensor<1x2x4x6x3xf32>
// What it starts from is added behind.
// CHECK: arith.addf
// A filter of one frame needs no copies.
// CHECK-LABEL: func.func private @frame_by_frame
// CHECK-NOT: linalg.generic {{.*}}"parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x2x4x6x3xf32> into tensor<2x4x6x3xf32>
// CHECK: linalg.winograd_input_transform
module {
  func.func private @conv(%x: tensor<1x6x6x8x2xf32>, %w: tensor<2x3x3x2x3xf32>, %b: tensor<1x2x4x6x3xf32>) -> tensor<1x2x4x6x3xf32> {
    %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<[3, 1, 1]> : tensor<3xi64>, strides = dense<[2, 1, 1]> : tensor<3xi64>} ins(%x, %w : tensor<1x6x6x8x2xf32>, tensor<2x3x3x2x3xf32>) outs(%b : tensor<1x2x4x6x3xf32>) -> tensor<1x2x4x6x3xf32>
    return %0 : tensor<1x2x4x6x3xf32>
  }
  func.func private @frame_by_frame(%x: tensor<1x2x4x6x3xf32>, %w: tensor<1x3x3x3x2xf32>) -> tensor<1x2x2x4x2xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1x2x2x4x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x4x2xf32>) -> tensor<1x2x2x4x2xf32>
    %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x, %w : tensor<1x2x4x6x3xf32>, tensor<1x3x3x3x2xf32>) outs(%f : tensor<1x2x2x4x2xf32>) -> tensor<1x2x2x4x2xf32>
    return %0 : tensor<1x2x2x4x2xf32>
  }
  func.func @main(%x: tensor<1x6x6x8x2xf32>, %b: tensor<1x2x4x6x3xf32>) -> tensor<1x2x2x4x2xf32> {
    %w = arith.constant dense<[[[[[-4.0, 8.0, 8.0], [-4.0, 0.0, 8.0]], [[4.0, 8.0, -8.0], [8.0, -8.0, 4.0]], [[0.0, 8.0, -4.0], [-4.0, 4.0, 8.0]]], [[[8.0, 4.0, 4.0], [-4.0, -4.0, -4.0]], [[8.0, 4.0, -8.0], [-8.0, -4.0, 8.0]], [[-8.0, 0.0, -8.0], [0.0, 4.0, 8.0]]], [[[4.0, 4.0, 4.0], [8.0, 4.0, -4.0]], [[0.0, -8.0, -8.0], [-4.0, 4.0, -4.0]], [[0.0, 4.0, 0.0], [4.0, 8.0, 4.0]]]], [[[[8.0, 0.0, 8.0], [8.0, 4.0, 8.0]], [[-4.0, 0.0, -8.0], [0.0, 8.0, -4.0]], [[0.0, 8.0, 8.0], [8.0, -8.0, -4.0]]], [[[8.0, 0.0, 0.0], [-8.0, -8.0, 4.0]], [[4.0, -8.0, 0.0], [-8.0, 4.0, -4.0]], [[-8.0, 0.0, 4.0], [4.0, -8.0, -8.0]]], [[[8.0, 8.0, -8.0], [4.0, 8.0, 0.0]], [[8.0, 0.0, 8.0], [-4.0, -8.0, 0.0]], [[-8.0, -8.0, -8.0], [8.0, 8.0, -8.0]]]]]> : tensor<2x3x3x2x3xf32>
    %v = arith.constant dense<[[[[[-4.0, 4.0], [0.0, 8.0], [0.0, -4.0]], [[-8.0, 0.0], [0.0, 0.0], [-4.0, 4.0]], [[4.0, 4.0], [8.0, 4.0], [8.0, 8.0]]], [[[-8.0, 8.0], [8.0, 0.0], [4.0, -4.0]], [[0.0, 4.0], [0.0, 8.0], [0.0, 8.0]], [[0.0, -8.0], [4.0, 8.0], [0.0, -8.0]]], [[[4.0, 8.0], [8.0, -4.0], [-8.0, 0.0]], [[4.0, 0.0], [0.0, 8.0], [0.0, 4.0]], [[-8.0, 8.0], [-8.0, -8.0], [0.0, 0.0]]]]]> : tensor<1x3x3x3x2xf32>
    %0 = call @conv(%x, %w, %b) : (tensor<1x6x6x8x2xf32>, tensor<2x3x3x2x3xf32>, tensor<1x2x4x6x3xf32>) -> tensor<1x2x4x6x3xf32>
    %1 = call @frame_by_frame(%0, %v) : (tensor<1x2x4x6x3xf32>, tensor<1x3x3x3x2xf32>) -> tensor<1x2x2x4x2xf32>
    return %1 : tensor<1x2x2x4x2xf32>
  }
}
