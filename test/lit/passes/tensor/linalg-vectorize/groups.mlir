// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 --canonicalize --cse | FileCheck %s
// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 --verify-diagnostics -o /dev/null
// F(2, 3): 16 vectors in, 32 additions for B^T d B, 16 vectors out.
// CHECK-LABEL: func.func @one
// CHECK-COUNT-4: vector.transfer_read
// CHECK: arith.subf
// CHECK-COUNT-12: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK-COUNT-16: vector.transfer_write
func.func @one(%x: tensor<1x4x4x16xf32>, %e: tensor<4x4x1x1x1x16xf32>) -> tensor<4x4x1x1x1x16xf32> {
  %y = linalg.winograd_input_transform m(2) r(3) ins(%x : tensor<1x4x4x16xf32>) outs(%e : tensor<4x4x1x1x1x16xf32>) -> tensor<4x4x1x1x1x16xf32>
  return %y : tensor<4x4x1x1x1x16xf32>
}
func.func @two(%x: tensor<1x6x4x16xf32>, %e: tensor<4x4x2x1x1x16xf32>) -> tensor<4x4x2x1x1x16xf32> {
  // expected-remark @below {{not vectorized: it is more than one group; tile it first}}
  %y = linalg.winograd_input_transform m(2) r(3) ins(%x : tensor<1x6x4x16xf32>) outs(%e : tensor<4x4x2x1x1x16xf32>) -> tensor<4x4x2x1x1x16xf32>
  return %y : tensor<4x4x2x1x1x16xf32>
}
