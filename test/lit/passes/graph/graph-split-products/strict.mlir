// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-products | FileCheck %s
// Whether a product is cut depends on the number of its rows, which strict numerics must not show.
// CHECK-LABEL: func.func @long
// CHECK-NOT: graph.slice
// CHECK: graph.matmul
// CHECK-NEXT: return
module attributes {mlc.numerics = "strict"} {
  func.func @long(%x: tensor<128x3000xf32>) -> tensor<128x8xf32> {
    %w = graph.constant dense<0.5> : tensor<3000x8xf32>
    %0 = graph.matmul %x, %w : (tensor<128x3000xf32>, tensor<3000x8xf32>) -> tensor<128x8xf32>
    return %0 : tensor<128x8xf32>
  }
}
