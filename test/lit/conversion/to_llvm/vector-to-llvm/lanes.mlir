// RUN: mlc-opt %s --convert-vector-to-llvm | FileCheck %s
// Lanes are taken out and put in by LLVM's instructions; reductions are intrinsics.
// CHECK-LABEL: func.func @lanes
// CHECK: %[[E:.*]] = llvm.extractelement %arg0[%{{.*}} : i64] : vector<4xf32>
// CHECK: %[[V:.*]] = llvm.insertelement %[[E]], %arg0[%{{.*}} : i64] : vector<4xf32>
// CHECK: llvm.shufflevector %[[V]], %arg0 [3, 2, 1, 0] : vector<4xf32>
func.func @lanes(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.extract %x[2] : f32 from vector<4xf32>
  %1 = vector.insert %0, %x[1] : f32 into vector<4xf32>
  %2 = vector.shuffle %1, %x [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  return %2 : vector<4xf32>
}
// CHECK-LABEL: func.func @largest
// CHECK: "llvm.intr.vector.reduce.smax"(%arg0) : (vector<4xi32>) -> i32
func.func @largest(%x: vector<4xi32>) -> i32 {
  %0 = vector.reduction <maxsi>, %x : vector<4xi32> into i32
  return %0 : i32
}
// arith and scf are other passes'.
// CHECK-LABEL: func.func @stays
// CHECK: arith.addf
func.func @stays(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.addf %x, %x : vector<4xf32>
  return %0 : vector<4xf32>
}
