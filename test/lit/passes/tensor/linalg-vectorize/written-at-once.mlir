// RUN: mlc-opt %s --tile --linalg-vectorize --canonicalize --target=x86-64-v4 | FileCheck %s
// What follows a tile of sums is written vector by vector, as soon as it is computed.
// CHECK-LABEL: func.func @full
// CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK: scf.yield
// CHECK: math.sqrt
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: {{%.* = affine.apply}}
// CHECK-NEXT: vector.transfer_write
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @full(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>, %e: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %z = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%i : tensor<64x128xf32>) -> tensor<64x128xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x128xf32>) outs(%i : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// Rows that end in a part of a vector are written behind all that is read.
// CHECK-LABEL: func.func @partial
// CHECK: scf.yield
// CHECK: math.sqrt
// CHECK-NEXT: math.sqrt
func.func @partial(%x: tensor<64x32xf32>, %w: tensor<32x24xf32>) -> tensor<64x24xf32> {
  %z = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<64x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%i : tensor<64x24xf32>) -> tensor<64x24xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x24xf32>) outs(%f : tensor<64x24xf32>) -> tensor<64x24xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x24xf32>) outs(%i : tensor<64x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<64x24xf32>
  return %y : tensor<64x24xf32>
}
