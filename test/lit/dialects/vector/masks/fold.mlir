// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Masks whose lanes are known.

// CHECK-LABEL: func.func @sizes
// CHECK-DAG: vector.constant_mask [3, 2] : vector<4x2xi1>
// CHECK-DAG: vector.constant_mask [0, 0] : vector<4x2xi1>
// CHECK-DAG: vector.constant_mask [4] : vector<[4]xi1>
func.func @sizes() -> (vector<4x2xi1>, vector<4x2xi1>, vector<[4]xi1>) {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %nine = arith.constant 9 : index
  %less = arith.constant -1 : index
  %vscale = vector.vscale
  %all = arith.muli %vscale, %four : index
  %0 = vector.create_mask %three, %nine : vector<4x2xi1>
  %1 = vector.create_mask %three, %less : vector<4x2xi1>
  %2 = vector.create_mask %all : vector<[4]xi1>
  return %0, %1, %2 : vector<4x2xi1>, vector<4x2xi1>, vector<[4]xi1>
}

// CHECK-LABEL: func.func @rearranged
// CHECK-DAG: vector.constant_mask [2, 1] : vector<3x4xi1>
// CHECK-DAG: vector.constant_mask [1, 1] : vector<2x2xi1>
// CHECK-DAG: vector.create_mask %arg0 : vector<4xi1>
func.func @rearranged(%n: index) -> (vector<3x4xi1>, vector<2x2xi1>, vector<4xi1>) {
  %one = arith.constant 1 : index
  %m = vector.constant_mask [1, 2] : vector<4x3xi1>
  %0 = vector.transpose %m, [1, 0] : vector<4x3xi1> to vector<3x4xi1>
  %1 = vector.extract_strided_slice %m {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xi1> to vector<2x2xi1>
  %c = vector.create_mask %n, %one : vector<4x1xi1>
  %2 = vector.shape_cast %c : vector<4x1xi1> to vector<4xi1>
  return %0, %1, %2 : vector<3x4xi1>, vector<2x2xi1>, vector<4xi1>
}

// CHECK-LABEL: func.func @accesses
// CHECK: %[[L:.*]] = vector.load %arg0[%arg1]
// CHECK-NEXT: vector.store %arg2, %arg0[%arg1]
// CHECK-NEXT: return %[[L]], %arg2
func.func @accesses(%m: memref<?xf32>, %i: index, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %all = vector.constant_mask [4] : vector<4xi1>
  %none = vector.constant_mask [0] : vector<4xi1>
  %at = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %0 = vector.maskedload %m[%i], %all, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.expandload %m[%i], %none, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %all, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%i] [%at], %none, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @masked_op
// CHECK-NOT: vector.mask
// CHECK: vector.reduction
// CHECK-NOT: vector.mask
// CHECK: return
func.func @masked_op(%v: vector<4xf32>, %m: vector<4xi1>) -> (f32, vector<4xf32>) {
  %all = arith.constant dense<true> : vector<4xi1>
  %0 = vector.mask %all { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %1 = vector.mask %m { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}
