// RUN: mlc-opt %s --fuse 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --fuse --verify-diagnostics -o /dev/null
// What two ops want is computed once, in a kernel of its own.
// CHECK-LABEL: func.func @shortcut
func.func @shortcut(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-3: graph.kernel
  %shared = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{not fused: producer has several uses}}
  %a = graph.relu %shared : (tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{not fused: producer has several uses}}
  %b = graph.neg %shared : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
// Unless both are computed in one kernel: x * sigmoid(x) behind a product is one.
// CHECK-LABEL: func.func @gate
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @gate(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %x = graph.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = graph.sigmoid %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = graph.mul %x, %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
