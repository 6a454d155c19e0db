// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries | mlc-opt - --interpret | FileCheck %s
// A constant that a function gives back is copied before it is written.
// CHECK: dense<[7, 1, 2, 3]>
func.func private @id(%t: tensor<4xi32>) -> tensor<4xi32> {
  return %t : tensor<4xi32>
}
func.func @main() -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  %t = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %r = call @id(%t) : (tensor<4xi32>) -> tensor<4xi32>
  %w = tensor.insert %k into %r[%c0] : tensor<4xi32>
  return %w, %w : tensor<4xi32>, tensor<4xi32>
}
