// RUN: mlc-opt %s --interpret --entry main --input iota --input iota > %t.before
// RUN: mlc-opt %s --linalg-winograd="m=2 row-blocks=2" --interpret --entry main --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --linalg-winograd="m=2 row-blocks=2" 2>/dev/null | FileCheck %s
// Each of two threads transforms half of the image, and keeps that to itself; the padding is around all of it.
// CHECK-LABEL: func.func private @conv
// CHECK: %[[P:.+]] = tensor.pad
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c8 step %c4 iter_args(%[[Y:[^ ]+]] =
// CHECK: tensor.extract_slice %[[P]][0, %[[I]], 0, 0] [1, 6, 8, 4]
// CHECK: linalg.winograd_input_transform {{.*}} -> tensor<4x4x2x3x1x4xf32>
// CHECK: linalg.winograd_output_transform {{.*}} -> tensor<1x4x6x4xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[Y]][0, %[[I]], 0, 0] [1, 4, 6, 4]
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func private @conv(%x: tensor<1x8x6x4xf32>, %w: tensor<3x3x4x4xf32>, %r: tensor<1x8x6x4xf32>) -> tensor<1x8x6x4xf32> {
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %zero : f32
    } : tensor<1x8x6x4xf32> to tensor<1x10x8x4xf32>
    %e = tensor.empty() : tensor<1x8x6x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x6x4xf32>) -> tensor<1x8x6x4xf32>
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x10x8x4xf32>, tensor<3x3x4x4xf32>) outs(%f : tensor<1x8x6x4xf32>) -> tensor<1x8x6x4xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %r : tensor<1x8x6x4xf32>, tensor<1x8x6x4xf32>) outs(%e : tensor<1x8x6x4xf32>) {
    ^bb0(%in: f32, %add: f32, %out: f32):
      %s = arith.addf %in, %add : f32
      linalg.yield %s : f32
    } -> tensor<1x8x6x4xf32>
    return %1 : tensor<1x8x6x4xf32>
  }
  func.func @main(%x: tensor<1x8x6x4xf32>, %r: tensor<1x8x6x4xf32>) -> tensor<1x8x6x4xf32> {
    %w = arith.constant dense<4.0> : tensor<3x3x4x4xf32>
    %0 = call @conv(%x, %w, %r) : (tensor<1x8x6x4xf32>, tensor<3x3x4x4xf32>, tensor<1x8x6x4xf32>) -> tensor<1x8x6x4xf32>
    return %0 : tensor<1x8x6x4xf32>
  }
}
