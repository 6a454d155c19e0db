// RUN: mlc-opt %s --interpret | FileCheck %s
// RUN: mlc-opt %s --eliminate-empty-tensors --interpret | FileCheck %s
// RUN: mlc-opt %s --eliminate-empty-tensors --one-shot-bufferize=bufferize-function-boundaries | mlc-opt - --interpret | FileCheck %s
// RUN: mlc-opt %s --eliminate-empty-tensors --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFERS
// Two parts are built where they go: one buffer, no copy.
// CHECK: dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]>
// BUFFERS-COUNT-1: memref.alloc
// BUFFERS-NOT: memref.{{alloc|copy}}
func.func @main() -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %to = tensor.empty() : tensor<4xf32>
  %a = tensor.empty() : tensor<2xf32>
  %fa = linalg.fill ins(%one : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  %r0 = tensor.insert_slice %fa into %to[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %b = tensor.empty() : tensor<2xf32>
  %fb = linalg.fill ins(%two : f32) outs(%b : tensor<2xf32>) -> tensor<2xf32>
  %r1 = tensor.insert_slice %fb into %r0[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r1 : tensor<4xf32>
}
