// RUN: mlc-opt %s --lower-vector-transfers --vector-to-amx --vector-dot-products --lower-vector-dims --canonicalize --target=x86-64-v4-amx | FileCheck %s
// RUN: mlc-opt %s --lower-vector-transfers --vector-to-amx --vector-dot-products --lower-vector-dims --target=x86-64-v4-amx --interpret --entry main | FileCheck %s --check-prefix=VALUES
// Sums that are cut when they are written leave their rows to vectors of one dimension: no tile, no matrix is left, and the same sums.
// CHECK-NOT: amx
// CHECK-NOT: vector.contract
// CHECK-NOT: vector.load {{.*}}x{{.*}}xi8>, vector<{{[0-9]+}}x{{[0-9]+}}xi8>
// VALUES: [12, 16, -7]
// VALUES-NEXT: dense<[44, 52, -7]
#a = affine_map<(m, n, k, q) -> (m, k, q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @main() -> (vector<3xi32>, vector<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloca() : memref<2x8xi8>
  %w = memref.alloca() : memref<2x12xi8>
  %y = memref.alloca() : memref<2x3xi32>
  %before = arith.constant dense<-7> : vector<2x3xi32>
  vector.store %before, %y[%c0, %c0] : memref<2x3xi32>, vector<2x3xi32>
  %part = memref.subview %y[0, 0] [2, 2] [1, 1] : memref<2x3xi32> to memref<2x2xi32, strided<[3, 1]>>
  %xs = arith.constant dense<[[0, 1, 2, 3, 0, 0, 0, 1], [4, 5, 6, 7, 0, 0, 0, 2]]> : vector<2x8xi8>
  %ws = arith.constant dense<[[2, 2, 2, 2, 2, 2, 2, 2, 9, 9, 9, 9], [0, 0, 0, 0, 0, 0, 0, 4, 9, 9, 9, 9]]> : vector<2x12xi8>
  vector.store %xs, %x[%c0, %c0] : memref<2x8xi8>, vector<2x8xi8>
  vector.store %ws, %w[%c0, %c0] : memref<2x12xi8>, vector<2x12xi8>
  %zero = arith.constant dense<0> : vector<2x3xi32>
  %a0 = vector.load %x[%c0, %c0] : memref<2x8xi8>, vector<2x8xi8>
  %a1 = vector.shape_cast %a0 : vector<2x8xi8> to vector<2x2x4xi8>
  %a = arith.extui %a1 : vector<2x2x4xi8> to vector<2x2x4xi32>
  %b0 = vector.load %w[%c0, %c0] : memref<2x12xi8>, vector<2x12xi8>
  %b1 = vector.shape_cast %b0 : vector<2x12xi8> to vector<2x3x4xi8>
  %b = arith.extsi %b1 : vector<2x3x4xi8> to vector<2x3x4xi32>
  %sum = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
      %a, %b, %zero : vector<2x2x4xi32>, vector<2x3x4xi32> into vector<2x3xi32>
  vector.transfer_write %sum, %part[%c0, %c0] {in_bounds = [true, false]} : vector<2x3xi32>, memref<2x2xi32, strided<[3, 1]>>
  %r0 = vector.load %y[%c0, %c0] : memref<2x3xi32>, vector<3xi32>
  %r1 = vector.load %y[%c1, %c0] : memref<2x3xi32>, vector<3xi32>
  return %r0, %r1 : vector<3xi32>, vector<3xi32>
}
