// RUN: mlc-opt %s --tile --target=x86-64-v4 | FileCheck %s

// Rows that lie a multiple of 4 KiB apart share a set of the first cache: no more of them than it has ways.
// CHECK-LABEL: func.func @pages
// CHECK: linalg.matmul {{.*}} -> tensor<7x32xf32>
func.func @pages(%x: tensor<70x2048xf32>, %w: tensor<2048x64xf32>, %y: tensor<70x64xf32>) -> tensor<70x64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<70x2048xf32>, tensor<2048x64xf32>) outs(%y : tensor<70x64xf32>) -> tensor<70x64xf32>
  return %0 : tensor<70x64xf32>
}

// CHECK-LABEL: func.func @between
// CHECK: linalg.matmul {{.*}} -> tensor<14x32xf32>
func.func @between(%x: tensor<70x2064xf32>, %w: tensor<2064x64xf32>, %y: tensor<70x64xf32>) -> tensor<70x64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<70x2064xf32>, tensor<2064x64xf32>) outs(%y : tensor<70x64xf32>) -> tensor<70x64xf32>
  return %0 : tensor<70x64xf32>
}

// Windows of a buffer whose rows are longer.
// CHECK-LABEL: func.func @window
// CHECK: linalg.matmul {{.*}} -> tensor<14x32xf32>
func.func @window(%buffer: tensor<70x2064xf32>, %w: tensor<2048x64xf32>, %y: tensor<70x64xf32>) -> tensor<70x64xf32> {
  %x = tensor.extract_slice %buffer[0, 0] [70, 2048] [1, 1] : tensor<70x2064xf32> to tensor<70x2048xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<70x2048xf32>, tensor<2048x64xf32>) outs(%y : tensor<70x64xf32>) -> tensor<70x64xf32>
  return %0 : tensor<70x64xf32>
}
