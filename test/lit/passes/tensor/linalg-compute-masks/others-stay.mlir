// RUN: mlc-opt %s --linalg-compute-masks | FileCheck %s
// No triangle (a hole), one that a caller computes, and one that a product reads stay arguments.
// CHECK-LABEL: func.func private @hole(%{{.*}}: tensor<3x3xf32>, %{{.*}}: tensor<3x3xf32>)
// CHECK-LABEL: func.func private @given(%{{.*}}: tensor<3x3xf32>, %{{.*}}: tensor<3x3xf32>)
// CHECK-LABEL: func.func private @product(%{{.*}}: tensor<3x3xf32>, %{{.*}}: tensor<3x3xf32>)
// CHECK-NOT: linalg.index
#all = affine_map<(m, n) -> (m, n)>
func.func private @hole(%x: tensor<3x3xf32>, %m: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
func.func private @given(%x: tensor<3x3xf32>, %m: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
func.func private @product(%x: tensor<3x3xf32>, %m: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %r = linalg.matmul ins(%x, %m : tensor<3x3xf32>, tensor<3x3xf32>) outs(%x : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %hole = arith.constant dense<[[0.0, -9.0, -9.0], [0.0, 0.0, -9.0], [0.0, -9.0, 0.0]]> : tensor<3x3xf32>
  %triangle = arith.constant dense<[[0.0, -9.0, -9.0], [0.0, 0.0, -9.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %a = call @hole(%x, %hole) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = call @given(%a, %triangle) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = call @given(%b, %x) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %d = call @product(%c, %triangle) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %d : tensor<3x3xf32>
}
