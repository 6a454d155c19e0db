// RUN: mlc-opt %s --interpret --entry linear --input iota --input iota --input iota > %t.before
// RUN: mlc-opt %s --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry linear --input iota --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// 37 = 2 * 16 + 5: the rest of each dot product is masked. Small integers: every order of the sum is exact.
func.func @linear(%x: tensor<3x37xf32>, %w: tensor<11x37xf32>, %init: tensor<3x11xf32>) -> tensor<3x11xf32> {
  %0 = linalg.matmul_transpose_b ins(%x, %w : tensor<3x37xf32>, tensor<11x37xf32>) outs(%init : tensor<3x11xf32>) -> tensor<3x11xf32>
  return %0 : tensor<3x11xf32>
}
