// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @static(%arg0: index)
// CHECK: %[[T:.*]] = bufferization.alloc_tensor(%arg0) : tensor<5x?xf32>
// CHECK: tensor.cast %[[T]] : tensor<5x?xf32> to tensor<?x?xf32>
// CHECK: return %{{.*}}, %arg0
func.func @static(%n: index) -> (tensor<?x?xf32>, index) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %t = bufferization.alloc_tensor(%c5, %n) : tensor<?x?xf32>
  %d = tensor.dim %t, %c1 : tensor<?x?xf32>
  return %t, %d : tensor<?x?xf32>, index
}
