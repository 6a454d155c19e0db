// RUN: mlc-opt %s --vector-to-amx --target=x86-64-v4-amx --split-input-file | FileCheck %s
// Sums that something else looks at, tiles of more rows than a register has, and factors that do not come from memory stay vectors.
// CHECK-NOT: amx
#a = affine_map<(m, n, k, q) -> (m, k, q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @looked_at(%x: memref<3x8xi8>, %w: memref<2x8xi8>) -> vector<3x2xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<3x2xi32>
  %a0 = vector.load %x[%c0, %c0] : memref<3x8xi8>, vector<3x8xi8>
  %a1 = vector.shape_cast %a0 : vector<3x8xi8> to vector<3x2x4xi8>
  %a = arith.extui %a1 : vector<3x2x4xi8> to vector<3x2x4xi32>
  %b0 = vector.load %w[%c0, %c0] : memref<2x8xi8>, vector<2x8xi8>
  %b1 = vector.shape_cast %b0 : vector<2x8xi8> to vector<2x2x4xi8>
  %b = arith.extsi %b1 : vector<2x2x4xi8> to vector<2x2x4xi32>
  %y = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
      %a, %b, %zero : vector<3x2x4xi32>, vector<2x2x4xi32> into vector<3x2xi32>
  return %y : vector<3x2xi32>
}

// -----

#a = affine_map<(m, n, k, q) -> (m, k, q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @large(%x: memref<17x8xi8>, %w: memref<2x8xi8>, %y: memref<17x2xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<17x2xi32>
  %a0 = vector.load %x[%c0, %c0] : memref<17x8xi8>, vector<17x8xi8>
  %a1 = vector.shape_cast %a0 : vector<17x8xi8> to vector<17x2x4xi8>
  %a = arith.extui %a1 : vector<17x2x4xi8> to vector<17x2x4xi32>
  %b0 = vector.load %w[%c0, %c0] : memref<2x8xi8>, vector<2x8xi8>
  %b1 = vector.shape_cast %b0 : vector<2x8xi8> to vector<2x2x4xi8>
  %b = arith.extsi %b1 : vector<2x2x4xi8> to vector<2x2x4xi32>
  %sum = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
      %a, %b, %zero : vector<17x2x4xi32>, vector<2x2x4xi32> into vector<17x2xi32>
  vector.store %sum, %y[%c0, %c0] : memref<17x2xi32>, vector<17x2xi32>
  return
}

// -----

#a = affine_map<(m, n, k, q) -> (m, k, q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @computed(%a: vector<3x2x4xi32>, %b: vector<2x2x4xi32>, %y: memref<3x2xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<3x2xi32>
  %sum = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
      %a, %b, %zero : vector<3x2x4xi32>, vector<2x2x4xi32> into vector<3x2xi32>
  vector.store %sum, %y[%c0, %c0] : memref<3x2xi32>, vector<3x2xi32>
  return
}
