// RUN: mlc-opt %s --tile=tile-sizes=4 | FileCheck %s
// What is in a loop already is tiled there.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = tensor.extract_slice %{{.*}} [1, 8] [1, 1]
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[ROW]][%{{.*}}] [4] [1]
// CHECK: linalg.exp {{.*}} -> tensor<4xf32>
func.func @rows(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %y) -> (tensor<4x8xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %place = tensor.extract_slice %out[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %exp = linalg.exp ins(%row : tensor<8xf32>) outs(%place : tensor<8xf32>) -> tensor<8xf32>
    %next = tensor.insert_slice %exp into %out[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}
