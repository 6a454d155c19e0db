// RUN: mlc-opt %s --decompose-pad=keep-clippable --max-seconds=10 | FileCheck %s
// Where windows hang over is computed, not counted output by output: sizes are anybody's.
// CHECK-LABEL: func.func @large
// CHECK: tensor.insert_slice
#x = affine_map<(o, k) -> (o + k * 1000000000)>
#k = affine_map<(o, k) -> (k)>
#y = affine_map<(o, k) -> (o)>
func.func @large(%x: tensor<1000000000000000xf32>, %w: tensor<3xf32>, %start: tensor<1000000000000000xf32>) -> tensor<1000000000000000xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1000000000] high[1000000000] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<1000000000000000xf32> to tensor<1000002000000000xf32>
  %y = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<1000002000000000xf32>, tensor<3xf32>) outs(%start : tensor<1000000000000000xf32>) {
  ^bb0(%a: f32, %b: f32, %m: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %m, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1000000000000000xf32>
  return %y : tensor<1000000000000000xf32>
}
