// RUN: mlc-opt %s --empty-tensor-to-alloc-tensor | FileCheck %s
// CHECK: %[[T:.*]] = bufferization.alloc_tensor(%arg0) : tensor<?x4xf32>
// CHECK: return %[[T]]
func.func @f(%n: index) -> tensor<?x4xf32> {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
