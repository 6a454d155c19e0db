// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// A result of more dimensions than its map says.
// CHECK: error: 'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<4x4xi32>'
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @f(%a: vector<4x4xi32>) {
  %0 = "vector.contract"(%a, %a, %a) <{indexing_maps = [#a, #b, #c], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4x4xi32>, vector<4x4xi32>, vector<4x4xi32>) -> vector<2x4x4xi32>
  return
}
