// RUN: mlc-opt %s --tile=tile-sizes=4,8 | FileCheck %s
// The product under a relu is computed in the relu's tiles, and so is the value it starts from: one loop nest, nothing before it.
// CHECK-LABEL: func.func @linear_relu
func.func @linear_relu(%lhs: tensor<8x32xf32>, %rhs: tensor<32x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  // CHECK-NOT: linalg
  // CHECK: scf.for
  // CHECK:   scf.for
  // CHECK-DAG: linalg.generic {{.*}} outs({{.*}} : tensor<4x8xf32>)
  // CHECK:     linalg.matmul {{.*}} -> tensor<4x8xf32>
  // CHECK:     linalg.generic
  // CHECK:     arith.maximumf
  // CHECK:     tensor.insert_slice
  // CHECK-NOT: linalg
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%bias : tensor<16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%b: f32, %out: f32):
    linalg.yield %b : f32
  } -> tensor<8x16xf32>
  %sum = linalg.matmul ins(%lhs, %rhs : tensor<8x32xf32>, tensor<32x16xf32>) outs(%start : tensor<8x16xf32>) -> tensor<8x16xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %max = arith.maximumf %x, %zero : f32
    linalg.yield %max : f32
  } -> tensor<8x16xf32>
  return %relu : tensor<8x16xf32>
}
