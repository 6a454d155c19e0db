// RUN: mlc-opt %s --graph-fold-constants=max-bytes=16 --verify-diagnostics
// RUN: mlc-opt %s --graph-fold-constants=max-bytes=16 2>/dev/null | FileCheck %s
// Beyond the budget it is computed once, when the model is loaded, with all that follows from it.
// CHECK-LABEL: func.func @f
// CHECK: %[[W:.*]] = call @f_init() {mlc.run_once} : () -> tensor<2x3xf32>
// CHECK: graph.matmul %{{.*}}, %[[W]]
// CHECK-LABEL: func.func private @f_init() -> tensor<2x3xf32>
// CHECK: %[[E:.*]] = graph.add
// CHECK: %[[N:.*]] = graph.neg %[[E]]
// CHECK: return %[[N]]
func.func @f(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
  %c = graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %d = graph.constant dense<[[1.0, 1.0, -1.0]]> : tensor<1x3xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %0 = graph.add %c, %d : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %1 = graph.neg %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.matmul %x, %1 : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}
