// RUN: mlc-opt %s --lower-vector-dims | FileCheck %s
// RUN: mlc-opt %s --interpret --entry all --input iota --input iota --input random:1 > %t.before
// RUN: mlc-opt %s --lower-vector-dims --interpret --entry all --input iota --input iota --input random:1 > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --check-prefix=VALUE < %t.after
// Contractions, outer products and reductions are written out, row by row.
// CHECK-NOT: vector.contract
// CHECK-NOT: vector.outerproduct
// CHECK-NOT: vector.multi_reduction
// VALUE: dense<{{\[}}[1.000000e+01, 1.300000e+01], [2.800000e+01, 4.000000e+01]]> : vector<2x2xf32>
// VALUE: dense<{{\[}}[1.000000e+01, 2.800000e+01], [1.300000e+01, 4.000000e+01]]> : vector<2x2xf32>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#t = affine_map<(i, j, k) -> (j, i)>
func.func @all(%a: vector<2x3xf32>, %b: vector<3x2xf32>, %v: vector<3xf32>) -> (vector<2x2xf32>, vector<2x2xf32>, f32, vector<3x3xf32>, vector<2xf32>, vector<3xf32>, f32, f32, vector<3xf32>) {
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %s = arith.constant 1.5 : f32
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %z : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %1 = vector.contract {indexing_maps = [#a, #b, #t], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %z : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %v, %s : vector<3xf32>, vector<3xf32> into f32
  %3 = vector.outerproduct %v, %v : vector<3xf32>, vector<3xf32>
  %y = arith.constant dense<1.0> : vector<2xf32>
  %4 = vector.multi_reduction <maximumf>, %a, %y [1] : vector<2x3xf32> to vector<2xf32>
  %5 = vector.multi_reduction <add>, %a, %v [0] : vector<2x3xf32> to vector<3xf32>
  %6 = vector.multi_reduction <mul>, %a, %s [0, 1] : vector<2x3xf32> to f32
  %7 = vector.reduction <maxnumf>, %v, %s : vector<3xf32> into f32
  %8 = vector.outerproduct %v, %s, %v {kind = #vector.kind<add>} : vector<3xf32>, f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : vector<2x2xf32>, vector<2x2xf32>, f32, vector<3x3xf32>, vector<2xf32>, vector<3xf32>, f32, f32, vector<3xf32>
}
