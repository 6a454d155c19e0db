// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 | FileCheck %s
// a * x + 0 is 0 where the product is -0, so the zero is added; so is it to a sum of one product.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT: arith.mulf
// CHECK: vector.fma
// CHECK: return
func.func @elementwise(%a: tensor<16xf32>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%i: f32, %j: f32, %out: f32):
    %1 = arith.mulf %i, %j : f32
    %2 = arith.addf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// CHECK-LABEL: func.func @one_product
// CHECK-NOT: arith.mulf
// CHECK: vector.fma
// CHECK: return
func.func @one_product(%a: tensor<2x1xf32>, %b: tensor<1x16xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x1xf32>, tensor<1x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
