// RUN: mlc-opt %s --linalg-vectorize --canonicalize --target=x86-64-v3 | FileCheck %s
// A sum over a size that is not known: blocks of 256 steps, the last of what is left; lanes along
// the sum have a masked step for what is no full vector, those that are off keep what they had.
// CHECK-LABEL: func.func @across(
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %[[N]] step %c256
// CHECK: affine.min
// CHECK: scf.for %{{.*}} = %{{.*}} iter_args
// CHECK: arith.addf {{.*}} vector<8xf32>
func.func @across(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<?x8xf32>) outs(%init : tensor<8xf32>) dimensions = [0]
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @along(
// CHECK: %[[BLOCKS:.*]] = scf.for %{{.*}} step %c2048
// CHECK: scf.for %{{.*}} step %c8
// CHECK: scf.for %{{.*}} step %c8 iter_args(%[[OLD:.*]] =
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: %[[READ:.*]] = vector.transfer_read {{.*}}, %{{.*}}, %{{.*}} {in_bounds
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[READ]]
// CHECK: arith.select %[[MASK]], %[[NEW]], %[[OLD]]
// CHECK: vector.reduction <add>, %[[BLOCKS]]
func.func @along(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}
