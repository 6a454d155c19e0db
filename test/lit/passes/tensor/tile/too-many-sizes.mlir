// RUN: mlc-opt %s --tile=tile-sizes=4,4,4,4 --verify-diagnostics -o /dev/null
func.func @matmul(%lhs: tensor<8x32xf32>, %rhs: tensor<32x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{has 3 loops, but 4 tile sizes were given}}
  %0 = linalg.matmul ins(%lhs, %rhs : tensor<8x32xf32>, tensor<32x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
