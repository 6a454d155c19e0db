// RUN: mlc-opt %s --interpret --entry softmax --input iota > %t.before
// RUN: mlc-opt %s --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry softmax --input iota > %t.after
// RUN: diff %t.before %t.after
// Rows of 20: the maximum of each, then what is left after it is taken off.
#all = affine_map<(n, c) -> (n, c)>
#row = affine_map<(n, c) -> (n)>
func.func @softmax(%x: tensor<3x20xf32>) -> tensor<3x20xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %rows = tensor.empty() : tensor<3xf32>
  %empty = tensor.empty() : tensor<3x20xf32>
  %start = linalg.fill ins(%lowest : f32) outs(%rows : tensor<3xf32>) -> tensor<3xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x20xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%e: f32, %acc: f32):
    %m = arith.maximumf %acc, %e : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<3x20xf32>, tensor<3xf32>) outs(%empty : tensor<3x20xf32>) {
  ^bb0(%e: f32, %m: f32, %out: f32):
    %d = arith.subf %e, %m : f32
    linalg.yield %d : f32
  } -> tensor<3x20xf32>
  return %0 : tensor<3x20xf32>
}
