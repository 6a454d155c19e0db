// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4-vnni --canonicalize --cse | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota --input iota > %t.before
// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4-vnni --interpret --entry f --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// A run of four bytes for all lanes, times four bytes of each lane: one contraction adds to a vector of sums.
// CHECK: %[[W:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<5x16x4xi8> into tensor<5x64xi8>
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: %[[FOUR:.*]] = vector.transfer_read %{{.*}} : tensor<1x20xi8>, vector<4xi8>
// CHECK: %[[LEFT:.*]] = arith.extui %[[FOUR]] : vector<4xi8> to vector<4xi32>
// CHECK: %[[OWN:.*]] = vector.transfer_read %[[W]][%[[K]], {{.*}} : tensor<5x64xi8>, vector<64xi8>
// CHECK: %[[RUNS:.*]] = vector.shape_cast %[[OWN]] : vector<64xi8> to vector<16x4xi8>
// CHECK: %[[RIGHT:.*]] = arith.extsi %[[RUNS]] : vector<16x4xi8> to vector<16x4xi32>
// CHECK: vector.contract {{.*}} %[[LEFT]], %[[RIGHT]], %{{.*}} : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
#a = affine_map<(m, n, k, q) -> (m, k * 4 + q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @f(%x: tensor<1x20xi8>, %w: tensor<5x16x4xi8>) -> tensor<1x16xi32> {
  %start = arith.constant dense<7> : tensor<1x16xi32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x20xi8>, tensor<5x16x4xi8>) outs(%start : tensor<1x16xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x16xi32>
  return %y : tensor<1x16xi32>
}
