// RUN: mlc-opt %s --kernel-costs | FileCheck %s
// An op in a loop counts as often as it is done; more than 64 bits hold is the most that they do.
// CHECK-LABEL: func.func private @seven
// CHECK-SAME: mlc.flops = 28 : i64
func.func private @seven(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c13 = arith.constant 13 : index
  %0 = scf.for %i = %c0 to %c13 step %c2 iter_args(%a = %x) -> (tensor<4xf32>) {
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
    ^bb0(%out: f32):
      %2 = arith.addf %out, %out : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func private @endless
// CHECK-SAME: mlc.flops = 9223372036854775807 : i64
func.func private @endless(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9223372036854775807 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
    ^bb0(%out: f32):
      %2 = arith.addf %out, %out : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
