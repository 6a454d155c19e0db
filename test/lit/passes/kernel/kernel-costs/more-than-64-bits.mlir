// RUN: mlc-opt %s --kernel-costs | FileCheck %s
// What does not fit 64 bits is the most that does.
// CHECK: func.func private @kernel(
// CHECK-SAME: mlc.bytes = 9223372036854775807 : i64
func.func private @kernel(%x: tensor<9223372036854775807xi64>) -> tensor<i32> {
  %0 = tensor.cast %x : tensor<9223372036854775807xi64> to tensor<?xi64>
  %1 = tensor.empty() : tensor<i32>
  return %1 : tensor<i32>
}
