// RUN: mlc-opt %s --tile=tile-sizes=0,1,2 --linalg-pack | FileCheck %s
// The weights of a grouped 1x1 convolution are reshaped twice; the constant is both at once, and packed.
module {
  // CHECK-LABEL: func.func private @grouped
  // CHECK-SAME: tensor<2x2x1x2xf32>
  func.func private @grouped(%x: tensor<3x2x1xf32>, %w: tensor<1x1x8xf32>, %init: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
    %apart = tensor.expand_shape %w [[0], [1], [2, 3]] output_shape [1, 1, 2, 4] : tensor<1x1x8xf32> into tensor<1x1x2x4xf32>
    %matrices = tensor.collapse_shape %apart [[0, 1], [2], [3]] : tensor<1x1x2x4xf32> into tensor<1x2x4xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(w, g, f, c) -> (w, g, c)>, affine_map<(w, g, f, c) -> (c, g, f)>, affine_map<(w, g, f, c) -> (w, g, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %matrices : tensor<3x2x1xf32>, tensor<1x2x4xf32>) outs(%init : tensor<3x2x4xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %m = arith.mulf %a, %b : f32
      %n = arith.addf %out, %m : f32
      linalg.yield %n : f32
    } -> tensor<3x2x4xf32>
    return %0 : tensor<3x2x4xf32>
  }
  // CHECK-LABEL: func.func @main
  // CHECK: arith.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+00]], {{\[\[}}3.000000e+00, 4.000000e+00]]], {{\[\[\[}}5.000000e+00, 6.000000e+00]], {{\[\[}}7.000000e+00, 8.000000e+00]]]]> : tensor<2x2x1x2xf32>
  func.func @main(%x: tensor<3x2x1xf32>, %init: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
    %w = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]]> : tensor<1x1x8xf32>
    %0 = func.call @grouped(%x, %w, %init) : (tensor<3x2x1xf32>, tensor<1x1x8xf32>, tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
    return %0 : tensor<3x2x4xf32>
  }
}
