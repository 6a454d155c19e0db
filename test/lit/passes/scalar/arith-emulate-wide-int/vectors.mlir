// RUN: mlc-opt %s --arith-emulate-wide-int | FileCheck %s
// The halves of vectors are slices of a last dimension of two; constants are split.
// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:.*]]: vector<3x2xi32>) -> vector<3x2xi32>
// CHECK: %[[C:.*]] = arith.constant dense<{{\[}}[7, 1], [-1, -1], [0, 2]]> : vector<3x2xi32>
// CHECK: %[[LOW:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0, 0], sizes = [3, 1], strides = [1, 1]} : vector<3x2xi32> to vector<3x1xi32>
// CHECK: %[[HIGH:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0, 1]
// CHECK: %[[SUM:.*]], %[[CARRY:.*]] = arith.addui_extended %[[LOW]], %{{.*}} : vector<3x1xi32>, vector<3x1xi1>
// CHECK: %[[ONE:.*]] = arith.extui %[[CARRY]]
// CHECK: %[[PART:.*]] = arith.addi %[[ONE]], %[[HIGH]]
// CHECK: %[[TOP:.*]] = arith.addi %[[PART]]
// CHECK: %[[HALF:.*]] = vector.insert_strided_slice %[[SUM]], %{{.*}} {offsets = [0, 0]
// CHECK: vector.insert_strided_slice %[[TOP]], %[[HALF]] {offsets = [0, 1]
func.func @add(%x: vector<3xi64>) -> vector<3xi64> {
  %c = arith.constant dense<[4294967303, -1, 8589934592]> : vector<3xi64>
  %0 = arith.addi %x, %c : vector<3xi64>
  return %0 : vector<3xi64>
}

// CHECK-LABEL: func.func @select
// CHECK: vector.shape_cast %{{.*}} : vector<2xi1> to vector<2x1xi1>
func.func @select(%c: vector<2xi1>, %x: vector<2xi64>, %y: vector<2xi64>) -> vector<2xi64> {
  %0 = arith.select %c, %x, %y : vector<2xi1>, vector<2xi64>
  return %0 : vector<2xi64>
}
