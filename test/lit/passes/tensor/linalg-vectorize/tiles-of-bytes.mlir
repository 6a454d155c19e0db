// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4-amx --canonicalize --cse | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota --input iota > %t.before
// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4-amx --interpret --entry f --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// Five rows in blocks of three, the second of which begins a row earlier. Sums are carried as matrices, written to memory whole,
// and read row by row by what follows.
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} -> (vector<3x16xi32>, vector<3x16xi32>)
// CHECK: vector.transfer_read %{{.*}} : tensor<5x128xi8>, vector<3x64xi8>
// CHECK: %[[PANEL:.*]] = vector.transfer_read %{{.*}} : tensor<32x64xi8>, vector<16x64xi8>
// CHECK: vector.contract {{.*}} : vector<3x16x4xi32>, vector<16x16x4xi32> into vector<3x16xi32>
// CHECK: vector.transfer_read %{{.*}}[%c2, %{{.*}} : tensor<5x128xi8>, vector<3x64xi8>
// CHECK: vector.contract
// CHECK: %[[ONE:.*]] = vector.transfer_write %[[SUMS]]#0, %{{.*}}[%c0, %c0] {{.*}} : vector<3x16xi32>, tensor<5x16xi32>
// CHECK: %[[ALL:.*]] = vector.transfer_write %[[SUMS]]#1, %[[ONE]][%c2, %c0]
// CHECK: scf.for
// CHECK: vector.transfer_read %[[ALL]][%{{.*}}, %c0], {{.*}} : tensor<5x16xi32>, vector<16xi32>
// CHECK: arith.maxsi
#a = affine_map<(m, n, k, q) -> (m, k * 4 + q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @f(%x: tensor<5x128xi8>, %w: tensor<32x16x4xi8>) -> tensor<5x16xi32> {
  %zero = arith.constant 0 : i32
  %place = tensor.empty() : tensor<5x16xi32>
  %start = linalg.fill ins(%zero : i32) outs(%place : tensor<5x16xi32>) -> tensor<5x16xi32>
  %sum = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], mlc.tile_rows = 3 : i64}
      ins(%x, %w : tensor<5x128xi8>, tensor<32x16x4xi8>) outs(%start : tensor<5x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x16xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<5x16xi32>) outs(%place : tensor<5x16xi32>) {
  ^bb0(%s: i32, %o: i32):
    %c7 = arith.constant 7 : i32
    %m = arith.maxsi %s, %c7 : i32
    linalg.yield %m : i32
  } -> tensor<5x16xi32>
  return %y : tensor<5x16xi32>
}
