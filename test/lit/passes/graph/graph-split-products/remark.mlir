// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-products --verify-diagnostics -o /dev/null
func.func @long(%x: tensor<128x3000xf32>) -> tensor<128x8xf32> {
  %w = graph.constant dense<0.5> : tensor<3000x8xf32>
  // expected-remark @below {{split into 3 products: its panels are too long for the cache}}
  %0 = graph.matmul %x, %w : (tensor<128x3000xf32>, tensor<3000x8xf32>) -> tensor<128x8xf32>
  return %0 : tensor<128x8xf32>
}
