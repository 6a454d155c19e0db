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
