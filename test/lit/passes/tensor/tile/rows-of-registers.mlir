// RUN: mlc-opt %s --tile --target=x86-64-v4-amx | FileCheck %s
// Registers of 16 rows: 50 rows are tiles of 25, in blocks of 13. Sums of three runs of bytes stay dot products.
#a = affine_map<(m, n, k, q) -> (m, k * 4 + q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
// CHECK-LABEL: func.func @deep
// CHECK: scf.for {{.*}} step %c25
// CHECK: scf.for {{.*}} step %c32
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<25x32xi32>) attrs = {mlc.tile_rows = 13 : i64}
func.func @deep(%x: tensor<50x64xi8>, %w: tensor<16x64x4xi8>, %start: tensor<50x64xi32>) -> tensor<50x64xi32> {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<50x64xi8>, tensor<16x64x4xi8>) outs(%start : tensor<50x64xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<50x64xi32>
  return %y : tensor<50x64xi32>
}
// CHECK-LABEL: func.func @shallow
// CHECK-NOT: mlc.tile_rows
func.func @shallow(%x: tensor<50x12xi8>, %w: tensor<3x64x4xi8>, %start: tensor<50x64xi32>) -> tensor<50x64xi32> {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<50x12xi8>, tensor<3x64x4xi8>) outs(%start : tensor<50x64xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<50x64xi32>
  return %y : tensor<50x64xi32>
}
