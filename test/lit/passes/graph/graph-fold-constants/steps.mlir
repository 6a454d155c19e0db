// RUN: mlc-opt %s --graph-fold-constants=max-steps=700 2>/dev/null | FileCheck %s
// Steps are counted before they are taken: 8 x 8 x 8 products are 512, sums of 64 elements more than are left then.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.matmul
// CHECK: %[[W:.*]] = call @f_init() {mlc.run_once}
// CHECK-LABEL: func.func private @f_init
// CHECK-NOT: graph.matmul
// CHECK: graph.add
func.func @f() -> tensor<8x8xf32> {
  %c = graph.constant dense<2.0> : tensor<8x8xf32>
  %0 = graph.matmul %c, %c : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = graph.add %0, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
