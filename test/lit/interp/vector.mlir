// RUN: mlc-opt %s --interpret --entry shapes --input iota | FileCheck %s --check-prefix=SHAPES
// RUN: mlc-opt %s --interpret --entry sums --input iota | FileCheck %s --check-prefix=SUMS
// Expected: numpy, v = arange(6).reshape(2, 3).
// SHAPES: dense<{{\[\[}}0.000000e+00, 3.000000e+00], [1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00]]> : vector<3x2xf32>
// SHAPES-NEXT: dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : vector<3xf32>
// SHAPES-NEXT: 5.000000e+00 : f32
// SHAPES-NEXT: dense<{{\[\[}}1.000000e+00, 2.000000e+00], [4.000000e+00, 5.000000e+00]]> : vector<2x2xf32>
// SHAPES-NEXT: dense<{{\[\[}}3.000000e+00, 4.000000e+00, 5.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : vector<2x3xf32>
// SHAPES-NEXT: dense<[5.000000e+00, 3.000000e+00, 5.000000e+00, 4.000000e+00]> : vector<4xf32>
// SHAPES-NEXT: dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 9.000000e+00, 5.000000e+00]]> : vector<2x3xf32>
// SHAPES-NEXT: dense<{{\[\[}}true, true, false], [false, false, false]]> : vector<2x3xi1>
func.func @shapes(%v: vector<2x3xf32>) -> (vector<3x2xf32>, vector<3xf32>, f32, vector<2x2xf32>, vector<2x3xf32>,
                                           vector<4xf32>, vector<2x3xf32>, vector<2x3xi1>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %nine = arith.constant 9.0 : f32
  %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %row = vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>
  %e = vector.extract %row[%c2] : f32 from vector<3xf32>
  %s = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}
      : vector<2x3xf32> to vector<2x2xf32>
  %b = vector.broadcast %row : vector<3xf32> to vector<2x3xf32>
  %sh = "vector.shuffle"(%row, %row) <{mask = [2, 3, 5, 1]}> : (vector<3xf32>, vector<3xf32>) -> vector<4xf32>
  %i = vector.insert %nine, %v[1, 1] : f32 into vector<2x3xf32>
  %m = vector.create_mask %c1, %c2 : vector<2x3xi1>
  return %t, %row, %e, %s, %b, %sh, %i, %m : vector<3x2xf32>, vector<3xf32>, f32, vector<2x2xf32>, vector<2x3xf32>,
      vector<4xf32>, vector<2x3xf32>, vector<2x3xi1>
}
// v @ v.T + 1, v.sum(0) + [1, 1, 1], outer([0, 1, 2], [3, 4, 5]), 15 + 100, v[0] * v[1] + v[0]
// SUMS: dense<{{\[\[}}6.000000e+00, 1.500000e+01], [1.500000e+01, 5.100000e+01]]> : vector<2x2xf32>
// SUMS-NEXT: dense<[4.000000e+00, 6.000000e+00, 8.000000e+00]> : vector<3xf32>
// SUMS-NEXT: dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 8.000000e+00, 1.000000e+01]]> : vector<3x3xf32>
// SUMS-NEXT: 1.120000e+02 : f32
// SUMS-NEXT: dense<[0.000000e+00, 5.000000e+00, 1.200000e+01]> : vector<3xf32>
func.func @sums(%v: vector<2x3xf32>) -> (vector<2x2xf32>, vector<3xf32>, vector<3x3xf32>, f32, vector<3xf32>) {
  %ones = arith.constant dense<1.0> : vector<2x2xf32>
  %ones3 = arith.constant dense<1.0> : vector<3xf32>
  %hundred = arith.constant 100.0 : f32
  %c = "vector.contract"(%v, %v, %ones) <{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                                            affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>],
      kind = #vector.kind<add>}> : (vector<2x3xf32>, vector<2x3xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  %r = vector.multi_reduction <add>, %v, %ones3 [0] : vector<2x3xf32> to vector<3xf32>
  %a = vector.extract %v[0] : vector<3xf32> from vector<2x3xf32>
  %b = vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>
  %o = "vector.outerproduct"(%a, %b) <{kind = #vector.kind<add>}> : (vector<3xf32>, vector<3xf32>) -> vector<3x3xf32>
  %red = vector.reduction <add>, %b, %hundred : vector<3xf32> into f32
  %f = vector.fma %a, %b, %a : vector<3xf32>
  return %c, %r, %o, %red, %f : vector<2x2xf32>, vector<3xf32>, vector<3x3xf32>, f32, vector<3xf32>
}
