// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Extracts of broadcasts, splats, constants, element lists and masks.

// CHECK-LABEL: func.func @scalar
// CHECK: return %arg0, %arg0 : f32, f32
func.func @scalar(%x: f32) -> (f32, f32) {
  %b = vector.broadcast %x : f32 to vector<2x4xf32>
  %s = vector.splat %x : vector<4xf32>
  %three = arith.constant 3 : index
  %e = vector.extract %b[1, 3] : f32 from vector<2x4xf32>
  %f = vector.extractelement %s[%three : index] : vector<4xf32>
  return %e, %f : f32, f32
}

// A stretched dimension has one element.
// CHECK-LABEL: func.func @stretched
// CHECK: vector.extract %arg0[0] : f32 from vector<1xf32>
func.func @stretched(%x: vector<1xf32>) -> f32 {
  %b = vector.broadcast %x : vector<1xf32> to vector<2x8xf32>
  %e = vector.extract %b[1, 7] : f32 from vector<2x8xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @part
// CHECK: vector.broadcast %arg0 : vector<4xf32> to vector<3x4xf32>
func.func @part(%x: vector<4xf32>) -> vector<3x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x3x4xf32>
  %e = vector.extract %b[1] : vector<3x4xf32> from vector<2x3x4xf32>
  return %e : vector<3x4xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant dense<[3, 4]>
// CHECK-DAG: arith.constant 2 : i32
func.func @constants() -> (vector<2xi32>, i32) {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %row = vector.extract %c[1] : vector<2xi32> from vector<2x2xi32>
  %e = vector.extract %c[0, 1] : i32 from vector<2x2xi32>
  return %row, %e : vector<2xi32>, i32
}

// CHECK-LABEL: func.func @elements
// CHECK: %[[ROW:.*]] = vector.from_elements %arg0, %arg1 : vector<2xf32>
// CHECK: return %[[ROW]], %arg2
func.func @elements(%a: f32, %b: f32, %c: f32, %d: f32) -> (vector<2xf32>, f32) {
  %v = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %row = vector.extract %v[0] : vector<2xf32> from vector<2x2xf32>
  %e = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
  return %row, %e : vector<2xf32>, f32
}

// CHECK-LABEL: func.func @of_mask
// CHECK-DAG: %[[OFF:.*]] = arith.constant dense<false> : vector<4xi1>
// CHECK-DAG: %[[ON:.*]] = vector.create_mask %arg0 : vector<4xi1>
// CHECK: return %[[ON]], %[[OFF]]
func.func @of_mask(%n: index) -> (vector<4xi1>, vector<4xi1>) {
  %two = arith.constant 2 : index
  %m = vector.create_mask %two, %n : vector<3x4xi1>
  %on = vector.extract %m[1] : vector<4xi1> from vector<3x4xi1>
  %off = vector.extract %m[2] : vector<4xi1> from vector<3x4xi1>
  return %on, %off : vector<4xi1>, vector<4xi1>
}
