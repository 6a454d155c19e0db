// RUN: mlc-opt %s --tile --target=x86-64-v4-vnni | FileCheck %s
// Sums of 64 bytes are short: three rows of four vectors, not six. Those of 68 are not.
#a = affine_map<(m, n, k, q) -> (m, k * 4 + q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
// CHECK-LABEL: func.func @short
// CHECK: scf.for {{.*}} step %c3
// CHECK: tensor<3x64xi32>
func.func @short(%x: tensor<96x64xi8>, %w: tensor<16x128x4xi8>, %start: tensor<96x128xi32>) -> tensor<96x128xi32> {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<96x64xi8>, tensor<16x128x4xi8>) outs(%start : tensor<96x128xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<96x128xi32>
  return %y : tensor<96x128xi32>
}
// CHECK-LABEL: func.func @long
// CHECK: scf.for {{.*}} step %c6
// CHECK: tensor<6x64xi32>
func.func @long(%x: tensor<96x68xi8>, %w: tensor<17x128x4xi8>, %start: tensor<96x128xi32>) -> tensor<96x128xi32> {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<96x68xi8>, tensor<17x128x4xi8>) outs(%start : tensor<96x128xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<96x128xi32>
  return %y : tensor<96x128xi32>
}
