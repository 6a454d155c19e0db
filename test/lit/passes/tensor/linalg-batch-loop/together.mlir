// RUN: mlc-opt %s --linalg-batch-loop | FileCheck %s
// Images that need each other stay together, and so does what reads no windows: its rows are tiled
// whatever their number is.
// CHECK-NOT: scf.for
func.func private @sum_of_images(%x: tensor<?x8x8x4xf32>, %n: index) -> tensor<?x8x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x8x8x4xf32>
  %one = tensor.empty() : tensor<8x8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%one : tensor<8x8x4xf32>) -> tensor<8x8x4xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<?x8x8x4xf32>) outs(%init : tensor<8x8x4xf32>) dimensions = [0]
  %0 = linalg.broadcast ins(%sum : tensor<8x8x4xf32>) outs(%empty : tensor<?x8x8x4xf32>) dimensions = [0]
  return %0 : tensor<?x8x8x4xf32>
}
func.func private @product(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>, %n: index) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
