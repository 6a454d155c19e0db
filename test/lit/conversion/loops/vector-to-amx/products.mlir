// RUN: mlc-opt %s --vector-to-amx --target=x86-64-v4-amx | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input iota --input iota > %t.before
// RUN: mlc-opt %s --vector-to-amx --target=x86-64-v4-amx --interpret --entry main --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --vector-to-amx --target=x86-64-v4-vnni | FileCheck %s --check-prefix=NONE
// A sum that a loop carries from zeros and that goes to memory becomes a tile, its factors loads of tiles; signs as they are widened.
// NONE-NOT: amx
// CHECK-LABEL: func.func @main
// CHECK: %[[ZERO:.*]] = amx.tile_zero : vector<3x2xi32>
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK: %[[A:.*]] = amx.tile_load %arg0[%c0, %{{.*}}] : memref<3x16xi8> into vector<3x8xi8>
// CHECK: %[[B:.*]] = amx.tile_load %arg1[%{{.*}}, %c0] : memref<4x8xi8> into vector<2x8xi8>
// CHECK: amx.tile_muli %[[A]] zext, %[[B]], %[[ACC]] : vector<3x8xi8>, vector<2x8xi8>, vector<3x2xi32>
// CHECK: amx.tile_store %{{.*}}[%c0, %c0], %[[SUMS]] : memref<3x2xi32>, vector<3x2xi32>
#a = affine_map<(m, n, k, q) -> (m, k, q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @main(%x: memref<3x16xi8>, %w: memref<4x8xi8>) -> memref<3x2xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0> : vector<3x2xi32>
  %sums = scf.for %k = %c0 to %c4 step %c2 iter_args(%acc = %zero) -> (vector<3x2xi32>) {
    %byte = arith.muli %k, %c4 : index
    %a0 = vector.load %x[%c0, %byte] : memref<3x16xi8>, vector<3x8xi8>
    %a1 = vector.shape_cast %a0 : vector<3x8xi8> to vector<3x2x4xi8>
    %a = arith.extui %a1 : vector<3x2x4xi8> to vector<3x2x4xi32>
    %b0 = vector.load %w[%k, %c0] : memref<4x8xi8>, vector<2x8xi8>
    %b1 = vector.shape_cast %b0 : vector<2x8xi8> to vector<2x2x4xi8>
    %b = arith.extsi %b1 : vector<2x2x4xi8> to vector<2x2x4xi32>
    %next = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
        %a, %b, %acc : vector<3x2x4xi32>, vector<2x2x4xi32> into vector<3x2xi32>
    scf.yield %next : vector<3x2xi32>
  }
  %y = memref.alloc() : memref<3x2xi32>
  vector.store %sums, %y[%c0, %c0] : memref<3x2xi32>, vector<3x2xi32>
  return %y : memref<3x2xi32>
}
