// RUN: mlc-opt %s --kernel-costs | FileCheck %s
// What a kernel computes and moves, whatever becomes of it.

#id = affine_map<(d0, d1) -> (d0, d1)>

// 2 * 4 * 8 * 16 operations; 4 x 8, 8 x 16 and 4 x 16 floats.
// CHECK-LABEL: @product
// CHECK-SAME: mlc.bytes = 896 : i64, mlc.flops = 1024 : i64
func.func private @product(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %c : tensor<4x16xf32>
}

// An exponential and a fused multiply-add; comparisons are no arithmetic.
// CHECK-LABEL: @elementwise
// CHECK-SAME: mlc.bytes = 64 : i64, mlc.flops = 24 : i64
func.func private @elementwise(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<2x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    %f = math.fma %e, %e, %in : f32
    linalg.yield %f : f32
  } -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// Of a table, what is looked up: 3 rows of 8 floats, 3 indices, and the result.
// CHECK-LABEL: @lookup
// CHECK-SAME: mlc.bytes = 216 : i64, mlc.flops = 0 : i64
func.func private @lookup(%table: tensor<1000x8xf32>, %rows: tensor<3xi64>) -> tensor<3x8xf32> {
  %empty = tensor.empty() : tensor<3x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<3xi64>) outs(%empty : tensor<3x8xf32>) {
  ^bb0(%row: i64, %out: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<1000x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// Only kernels are counted.
// CHECK-LABEL: func.func @main
// CHECK-NOT: mlc.flops
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = call @elementwise(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
