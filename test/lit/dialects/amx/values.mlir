// RUN: mlc-opt %s --interpret --entry main | FileCheck %s
// What products come to: of floats, and of bytes whose signs count or not. [2, 4] by [4, 3], added to tens.
// CHECK: dense<{{\[\[}}2.200000e+01, 1.500000e+01, 1.800000e+01], [1.450000e+01, 9.000000e+00, 1.200000e+01]]> : vector<2x3xf32>
// CHECK-NEXT: dense<{{\[\[}}22, 15, 18], [11, 9, 5]]> : vector<2x3xi32>
// CHECK-NEXT: dense<{{\[\[}}22, 15, 18], [267, 265, 773]]> : vector<2x3xi32>
func.func @main() -> (vector<2x3xf32>, vector<2x3xi32>, vector<2x3xi32>) {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 0.0, 2.0]]> : vector<2x4xbf16>
  %b = arith.constant dense<[[1.0, 0.0, 0.0, 1.0, 2.0, 1.0], [1.0, 2.0, 1.0, 0.0, 0.0, 1.0]]> : vector<2x6xbf16>
  %tens = arith.constant dense<10.0> : vector<2x3xf32>
  %0 = amx.tile_mulf %a, %b, %tens : vector<2x4xbf16>, vector<2x6xbf16>, vector<2x3xf32>
  %c = arith.constant dense<[[1, 2, 3, 4], [-3, -1, 0, 2]]> : vector<2x4xi8>
  %d = arith.constant dense<[[1, 0, 1, 2, 0, 1, 1, 0, 2, 1, 0, 1]]> : vector<1x12xi8>
  %ones = arith.constant dense<10> : vector<2x3xi32>
  %1 = amx.tile_muli %c, %d, %ones : vector<2x4xi8>, vector<1x12xi8>, vector<2x3xi32>
  %2 = amx.tile_muli %c zext, %d, %ones : vector<2x4xi8>, vector<1x12xi8>, vector<2x3xi32>
  return %0, %1, %2 : vector<2x3xf32>, vector<2x3xi32>, vector<2x3xi32>
}
