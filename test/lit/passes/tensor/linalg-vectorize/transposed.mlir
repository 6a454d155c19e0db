// RUN: mlc-opt %s --tile --linalg-vectorize --canonicalize --target=x86-64-v2 | FileCheck %s

// Tiles are squares: four rows of the input become four of the result.
// CHECK-LABEL: func.func @turned
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} step %c4
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} step %c4
// CHECK-NOT: tensor.extract %
// CHECK: %[[R0:.*]] = vector.transfer_read %arg0[%[[J]], %[[I]]]
// CHECK: %[[R1:.*]] = vector.transfer_read %arg0[%{{.*}}, %[[I]]]
// CHECK: %[[R2:.*]] = vector.transfer_read %arg0[%{{.*}}, %[[I]]]
// CHECK: %[[R3:.*]] = vector.transfer_read %arg0[%{{.*}}, %[[I]]]
// CHECK: %[[A0:.*]] = vector.shuffle %[[R0]], %[[R1]] [0, 4, 2, 6]
// CHECK: %[[A1:.*]] = vector.shuffle %[[R0]], %[[R1]] [1, 5, 3, 7]
// CHECK: %[[A2:.*]] = vector.shuffle %[[R2]], %[[R3]] [0, 4, 2, 6]
// CHECK: %[[A3:.*]] = vector.shuffle %[[R2]], %[[R3]] [1, 5, 3, 7]
// CHECK: %[[T0:.*]] = vector.shuffle %[[A0]], %[[A2]] [0, 1, 4, 5]
// CHECK: %[[T2:.*]] = vector.shuffle %[[A0]], %[[A2]] [2, 3, 6, 7]
// CHECK: %[[T1:.*]] = vector.shuffle %[[A1]], %[[A3]] [0, 1, 4, 5]
// CHECK: %[[T3:.*]] = vector.shuffle %[[A1]], %[[A3]] [2, 3, 6, 7]
// CHECK: vector.transfer_write %[[T0]], %{{.*}}[%[[I]], %[[J]]]
// CHECK: vector.transfer_write %[[T1]],
// CHECK: vector.transfer_write %[[T2]],
// CHECK: vector.transfer_write %[[T3]],
func.func @turned(%x: tensor<8x12xf32>) -> tensor<12x8xf32> {
  %e = tensor.empty() : tensor<12x8xf32>
  %y = linalg.transpose ins(%x : tensor<8x12xf32>) outs(%e : tensor<12x8xf32>) permutation = [1, 0]
  return %y : tensor<12x8xf32>
}

// Too few rows for a square: element by element.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: vector.shuffle
// CHECK: tensor.extract
func.func @narrow(%x: tensor<8x3xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<3x8xf32>
  %y = linalg.transpose ins(%x : tensor<8x3xf32>) outs(%e : tensor<3x8xf32>) permutation = [1, 0]
  return %y : tensor<3x8xf32>
}
