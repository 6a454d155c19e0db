// RUN: mlc-opt %s --bufferize | FileCheck %s
// What tensor.empty holds is for nobody to know: two that share one need a buffer each, and no copy.
// CHECK-LABEL: func.func @twice
// CHECK-DAG: memref.alloc
// CHECK-DAG: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @twice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %o = tensor.empty() : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %c4 step %c2 iter_args(%a = %e, %b = %e) -> (tensor<4xf32>, tensor<4xf32>) {
    %from_x = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %from_y = tensor.extract_slice %y[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %to_a = tensor.extract_slice %a[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %to_b = tensor.extract_slice %b[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %sum = linalg.add ins(%from_x, %from_y : tensor<2xf32>, tensor<2xf32>) outs(%to_a : tensor<2xf32>) -> tensor<2xf32>
    %difference = linalg.sub ins(%from_x, %from_y : tensor<2xf32>, tensor<2xf32>) outs(%to_b : tensor<2xf32>) -> tensor<2xf32>
    %next_a = tensor.insert_slice %sum into %a[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
    %next_b = tensor.insert_slice %difference into %b[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
    scf.yield %next_a, %next_b : tensor<4xf32>, tensor<4xf32>
  }
  %1 = linalg.mul ins(%0#0, %0#1 : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
