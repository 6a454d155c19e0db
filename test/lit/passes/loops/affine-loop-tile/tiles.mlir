// RUN: mlc-opt %s --affine-loop-tile=tile-size=4 | FileCheck %s
// RUN: mlc-opt %s --affine-loop-tile="tile-sizes=8,16" | FileCheck %s --check-prefix=EACH
// Loops over tiles outside, loops in a tile inside; where tiles do not divide the loop, the last one ends with it.
// CHECK-DAG: #[[AT:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[END:.*]] = affine_map<(d0) -> (d0 + 4)>
// CHECK-DAG: #[[CUT:.*]] = affine_map<(d0) -> (d0 + 28, 67)>
// CHECK-DAG: #[[FEW:.*]] = affine_map<(d0) -> (d0 + 3)>
// CHECK-DAG: #[[SYMBOL:.*]] = affine_map<(d0)[s0] -> (d0 + 4, s0)>
// CHECK-LABEL: func.func @divides
// CHECK: affine.for %[[I:.*]] = 0 to 64 step 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 32 step 4 {
// CHECK-NEXT: affine.for %[[II:.*]] = #[[AT]](%[[I]]) to #[[END]](%[[I]]) {
// CHECK-NEXT: affine.for %[[JJ:.*]] = #[[AT]](%[[J]]) to #[[END]](%[[J]]) {
// CHECK-NEXT: affine.load %{{.*}}[%[[II]], %[[JJ]]]
// EACH: affine.for %{{.*}} = 0 to 64 step 8 {
// EACH-NEXT: affine.for %{{.*}} = 0 to 32 step 16 {
func.func @divides(%m: memref<64x32xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %0 = affine.load %m[%i, %j] : memref<64x32xf32>
      affine.store %0, %m[%i, %j] : memref<64x32xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @rests
// CHECK: affine.for %[[I:.*]] = 3 to 67 step 28 {
// CHECK-NEXT: affine.for %{{.*}} = #[[AT]](%[[I]]) to min #[[CUT]](%[[I]]) step 7 {
// CHECK: affine.for %[[J:.*]] = 0 to 3 step 4 {
// CHECK-NEXT: affine.for %{{.*}} = #[[AT]](%[[J]]) to #[[FEW]](%[[J]]) {
// CHECK: affine.for %[[K:.*]] = 0 to %{{.*}} step 4 {
// CHECK-NEXT: affine.for %{{.*}} = #[[AT]](%[[K]]) to min #[[SYMBOL]](%[[K]])[%{{.*}}] {
func.func @rests(%m: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 3 to 67 step 7 {
    affine.store %x, %m[%i] : memref<?xf32>
  }
  affine.for %j = 0 to 3 {
    affine.store %x, %m[%j] : memref<?xf32>
  }
  affine.for %k = 0 to %n {
    affine.store %x, %m[%k] : memref<?xf32>
  }
  return
}
