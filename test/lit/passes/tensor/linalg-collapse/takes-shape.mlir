// RUN: mlc-opt %s --linalg-collapse | FileCheck %s
// RUN: mlc-opt %s --interpret --entry grouped --input iota --input iota --input iota > %t.before
// RUN: mlc-opt %s --linalg-collapse --interpret --entry grouped --input iota --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// What follows a sum in groups works on its shape, with its other operands split alike, so that tiles fuse.
// CHECK-LABEL: func.func @grouped
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]
// CHECK: %[[SCALE:.*]] = tensor.expand_shape %arg2 {{\[}}[0, 1]{{\]}} output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[SUM]], %[[SCALE]] : tensor<3x2x4xf32>, tensor<2x4xf32>)
// CHECK: %[[OUT:.*]] = tensor.collapse_shape %[[SCALED]] {{.*}} : tensor<3x2x4xf32> into tensor<3x8xf32>
// CHECK: return %[[OUT]]
func.func @grouped(%x: tensor<3x2x5xf32>, %w: tensor<5x2x4xf32>, %scale: tensor<8xf32>) -> tensor<3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, g, f, c) -> (n, g, c)>, affine_map<(n, g, f, c) -> (c, g, f)>, affine_map<(n, g, f, c) -> (n, g, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<3x2x5xf32>, tensor<5x2x4xf32>) outs(%init : tensor<3x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %out, %m : f32
    linalg.yield %n : f32
  } -> tensor<3x2x4xf32>
  %joined = tensor.collapse_shape %sum [[0], [1, 2]] : tensor<3x2x4xf32> into tensor<3x8xf32>
  %to = tensor.empty() : tensor<3x8xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, f) -> (n, f)>, affine_map<(n, f) -> (f)>, affine_map<(n, f) -> (n, f)>], iterator_types = ["parallel", "parallel"]} ins(%joined, %scale : tensor<3x8xf32>, tensor<8xf32>) outs(%to : tensor<3x8xf32>) {
  ^bb0(%e: f32, %s: f32, %out: f32):
    %m = arith.mulf %e, %s : f32
    linalg.yield %m : f32
  } -> tensor<3x8xf32>
  return %scaled : tensor<3x8xf32>
}

// A sum that someone else reads too is written as it is: nothing changes.
// CHECK-LABEL: func.func @two_readers
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<24xf32>) outs(%{{.*}} : tensor<24xf32>)
// CHECK: arith.negf
func.func @two_readers(%x: tensor<3x2x4x5xf32>) -> (tensor<3x8xf32>, tensor<3x2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x2x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, g, f, c) -> (n, g, f, c)>, affine_map<(n, g, f, c) -> (n, g, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x : tensor<3x2x4x5xf32>) outs(%init : tensor<3x2x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.addf %out, %a : f32
    linalg.yield %n : f32
  } -> tensor<3x2x4xf32>
  %joined = tensor.collapse_shape %sum [[0], [1, 2]] : tensor<3x2x4xf32> into tensor<3x8xf32>
  %to = tensor.empty() : tensor<3x8xf32>
  %negated = linalg.generic {indexing_maps = [affine_map<(n, f) -> (n, f)>, affine_map<(n, f) -> (n, f)>], iterator_types = ["parallel", "parallel"]} ins(%joined : tensor<3x8xf32>) outs(%to : tensor<3x8xf32>) {
  ^bb0(%e: f32, %out: f32):
    %m = arith.negf %e : f32
    linalg.yield %m : f32
  } -> tensor<3x8xf32>
  return %negated, %sum : tensor<3x8xf32>, tensor<3x2x4xf32>
}
