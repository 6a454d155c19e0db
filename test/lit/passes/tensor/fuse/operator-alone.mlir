// RUN: mlc-opt %s --fuse | FileCheck %s
// A function of a library is a kernel by itself, whatever it is between.
// CHECK: graph.kernel
// CHECK-NEXT: ^bb0
// CHECK-NEXT: graph.relu
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel
// CHECK-NEXT: ^bb0
// CHECK-NEXT: graph.operator
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel
// CHECK-NEXT: ^bb0
// CHECK-NEXT: graph.relu
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = graph.operator %a {function = "f", library = "l", domain = "d", name = "o", attributes = {}} : (tensor<4xf32>) -> tensor<4xf32>
  %c = graph.relu %b : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
