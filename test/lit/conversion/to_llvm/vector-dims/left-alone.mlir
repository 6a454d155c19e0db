// RUN: mlc-opt %s --lower-vector-dims > %t
// RUN: FileCheck %s < %t
// RUN: mlc-opt %t --lower-vector-dims | diff %t -
// Scalable vectors have no rows that are known; vectors of one dimension are rows already.
// CHECK-LABEL: @scalable
// CHECK-NEXT: vector.broadcast %{{.*}} : f32 to vector<2x[4]xf32>
// CHECK-NEXT: arith.addf %{{.*}} : vector<2x[4]xf32>
func.func @scalable(%x: f32) -> vector<2x[4]xf32> {
  %0 = vector.broadcast %x : f32 to vector<2x[4]xf32>
  %1 = arith.addf %0, %0 : vector<2x[4]xf32>
  return %1 : vector<2x[4]xf32>
}
// CHECK-LABEL: @one_dimension
// CHECK-NEXT: vector.broadcast
// CHECK-NEXT: arith.addf
// CHECK-NEXT: vector.shuffle
// CHECK-NEXT: vector.reduction <add>
func.func @one_dimension(%x: f32, %y: vector<4xf32>, %s: f32) -> f32 {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  %1 = arith.addf %0, %y : vector<4xf32>
  %2 = vector.shuffle %1, %y [0, 5] : vector<4xf32>, vector<4xf32>
  %3 = vector.reduction <add>, %2, %s : vector<2xf32> into f32
  return %3 : f32
}
