// RUN: mlc-opt %s --bufferize | FileCheck %s
// RUN: mlc-opt %s --interpret --entry both --input "dense<[1.0, 2.0]> : tensor<2xf32>" | FileCheck %s --check-prefix=RESULT
// The tensor is written while its old value is still wanted, and is an argument besides: it is copied first.
// [1, 2] with 9 put first, plus the old one: [10, 4].
// RESULT: [1.000000e+01, 4.000000e+00]
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[IN:[^:]*]]: memref<2xf32>
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: memref.copy %[[IN]], %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: linalg.add ins(%[[COPY]], %[[IN]]
func.func @both(%t: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %new = tensor.insert %nine into %t[%c0] : tensor<2xf32>
  %init = tensor.empty() : tensor<2xf32>
  %r = linalg.add ins(%new, %t : tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
