// RUN: mlc-opt %s --lower-vector-dims | FileCheck %s
// RUN: mlc-opt %s --interpret --entry all --input 1 --input 2 --input random:1 > %t.before
// RUN: mlc-opt %s --lower-vector-dims --interpret --entry all --input 1 --input 2 --input random:1 > %t.after
// RUN: diff %t.before %t.after
// What works element by element works on rows; masks, loads and stores are made row by row.
// CHECK-LABEL: @all
// CHECK-NOT: arith.addf {{.*}} : vector<2x3xf32>
// CHECK-NOT: vector.load {{.*}}, vector<2x3xf32>
// CHECK: arith.constant dense<{{\[}}[true, false, false], [false, false, false]]> : vector<2x3xi1>
func.func @all(%i: index, %j: index, %m: memref<4x5xf32>) -> (vector<2x3xi1>, vector<2x3xi1>, vector<2x3xf32>, vector<i1>, vector<2x3xi32>, vector<2x3xf32>) {
  %0 = vector.create_mask %i, %j : vector<2x3xi1>
  %1 = vector.constant_mask [1, 1] : vector<2x3xi1>
  %2 = vector.load %m[%i, %j] : memref<4x5xf32>, vector<2x3xf32>
  %3 = arith.addf %2, %2 : vector<2x3xf32>
  %4 = arith.select %0, %3, %2 : vector<2x3xi1>, vector<2x3xf32>
  vector.store %4, %m[%i, %i] : memref<4x5xf32>, vector<2x3xf32>
  %5 = vector.create_mask %i : vector<i1>
  %6 = vector.bitcast %4 : vector<2x3xf32> to vector<2x3xi32>
  %7 = vector.load %m[%i, %i] : memref<4x5xf32>, vector<2x3xf32>
  return %0, %1, %4, %5, %6, %7 : vector<2x3xi1>, vector<2x3xi1>, vector<2x3xf32>, vector<i1>, vector<2x3xi32>, vector<2x3xf32>
}
