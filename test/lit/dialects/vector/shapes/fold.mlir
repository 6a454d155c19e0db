// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Ops that only rearrange, of each other.

// CHECK-LABEL: func.func @transposes
// CHECK: vector.transpose %arg0, [1, 2, 0]
func.func @transposes(%v: vector<2x3x4xf32>) -> vector<3x4x2xf32> {
  %a = vector.transpose %v, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  %b = vector.transpose %a, [2, 0, 1] : vector<4x2x3xf32> to vector<3x4x2xf32>
  return %b : vector<3x4x2xf32>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK: return %arg0, %arg0, %arg0
func.func @there_and_back(%v: vector<2x3xi32>) -> (vector<2x3xi32>, vector<2x3xi32>, vector<2x3xi32>) {
  %a = vector.transpose %v, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %b = vector.transpose %a, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  %c = vector.shape_cast %v : vector<2x3xi32> to vector<6xi32>
  %d = vector.shape_cast %c : vector<6xi32> to vector<2x3xi32>
  %e = vector.bitcast %v : vector<2x3xi32> to vector<2x3xf32>
  %f = vector.bitcast %e : vector<2x3xf32> to vector<2x3xi32>
  return %b, %d, %f : vector<2x3xi32>, vector<2x3xi32>, vector<2x3xi32>
}

// CHECK-LABEL: func.func @broadcasts
// CHECK: %[[A:.*]] = vector.broadcast %arg0 : f32 to vector<3x2xf32>
// CHECK: %[[B:.*]] = vector.broadcast %arg0 : f32 to vector<6xf32>
// CHECK: return %[[A]], %[[B]]
func.func @broadcasts(%x: f32) -> (vector<3x2xf32>, vector<6xf32>) {
  %a = vector.broadcast %x : f32 to vector<3xf32>
  %b = vector.broadcast %a : vector<3xf32> to vector<2x3xf32>
  %c = vector.transpose %b, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %d = vector.shape_cast %b : vector<2x3xf32> to vector<6xf32>
  return %c, %d : vector<3x2xf32>, vector<6xf32>
}

// CHECK-LABEL: func.func @shuffles
// CHECK: %[[I:.*]] = vector.interleave %arg0, %arg1
// CHECK: return %arg0, %arg1, %[[I]]
func.func @shuffles(%a: vector<2xf32>, %b: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>, vector<4xf32>) {
  %0 = vector.shuffle %a, %b [0, 1] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %a, %b [2, 3] : vector<2xf32>, vector<2xf32>
  %2 = vector.shuffle %a, %b [0, 2, 1, 3] : vector<2xf32>, vector<2xf32>
  return %0, %1, %2 : vector<2xf32>, vector<2xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: dense<2> : vector<3x2xi32>
// CHECK-DAG: dense<[4, 1]> : vector<2xi32>
// CHECK-DAG: dense<16843009> : vector<2xi32>
func.func @constants() -> (vector<3x2xi32>, vector<2xi32>, vector<2xi32>) {
  %twos = arith.constant dense<2> : vector<2x3xi32>
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[3, 4]> : vector<2xi32>
  %ones = arith.constant dense<1> : vector<8xi8>
  %0 = vector.transpose %twos, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %1 = vector.shuffle %a, %b [3, 0] : vector<2xi32>, vector<2xi32>
  %2 = vector.bitcast %ones : vector<8xi8> to vector<2xi32>
  return %0, %1, %2 : vector<3x2xi32>, vector<2xi32>, vector<2xi32>
}

// CHECK-LABEL: func.func @elements
// CHECK: vector.splat %arg0 : vector<3xf32>
func.func @elements(%x: f32) -> vector<3xf32> {
  %v = vector.from_elements %x, %x, %x : vector<3xf32>
  return %v : vector<3xf32>
}
