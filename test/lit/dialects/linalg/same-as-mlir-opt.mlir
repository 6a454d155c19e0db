// RUN: mlc-opt %s -o %t.mlc && mlir-opt %s -o %t.mlir && diff %t.mlir %t.mlc
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt -o %t.again && diff %t.mlc %t.again
// REQUIRES: mlir-opt
// Custom syntax as mlir-opt prints it, and the same again by way of the generic form.
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %o: tensor<4x8xf32>, %r: tensor<4xf32>, %m: memref<4x8xf32>) {
  %0 = linalg.map { arith.addf } ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>)
  %1 = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {foo}
  %2 = linalg.map ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) (%x: f32, %y: f32) { %z = arith.mulf %x, %y : f32
    %w = arith.addf %z, %y : f32
    linalg.yield %w : f32 }
  %3 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  %4 = linalg.reduce ins(%a : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1] (%x: f32, %y: f32) { %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32 }
  linalg.map outs(%m : memref<4x8xf32>) () { %c = arith.constant 1.0 : f32
    linalg.yield %c : f32 }
  return
}
