// RUN: mlc-opt %s --tile --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --interpret --entry grouped --input iota --input iota > %t.before
// RUN: mlc-opt %s --tile --linalg-vectorize --target=x86-64-v3 --interpret --entry grouped --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// 5 groups of 8 channels: a tile is pixels of one group, which share its weights, and not one pixel of several groups.
// CHECK-LABEL: func.func @grouped
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c24{{.*}} step %c12
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c5{{.*}} step %c1{{ |_}}
// CHECK: tensor.extract_slice %{{.*}} : tensor<2x24x5x3xf32> to tensor<1x12x1x3xf32>
func.func @grouped(%x: tensor<2x24x5x3xf32>, %w: tensor<3x5x8xf32>) -> tensor<2x24x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x24x5x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x24x5x8xf32>) -> tensor<2x24x5x8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, w, g, f, c) -> (h, w, g, c)>, affine_map<(h, w, g, f, c) -> (c, g, f)>, affine_map<(h, w, g, f, c) -> (h, w, g, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x24x5x3xf32>, tensor<3x5x8xf32>) outs(%init : tensor<2x24x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %out, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x24x5x8xf32>
  return %sum : tensor<2x24x5x8xf32>
}
