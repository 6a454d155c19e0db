// RUN: mlc-opt --load-rules=%S/Inputs/sizes.rules %s --canonicalize | FileCheck %s
// Sizes in guards; what is not known holds for nothing.

// CHECK-LABEL: func.func @even
// CHECK: arith.subi
func.func @even(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %0 = arith.addi %x, %y : vector<4xi32>
  return %0 : vector<4xi32>
}

// CHECK-LABEL: func.func @odd
// CHECK: arith.addi
func.func @odd(%x: vector<3xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %0 = arith.addi %x, %y : vector<3xi32>
  return %0 : vector<3xi32>
}

// CHECK-LABEL: func.func @large
// CHECK: arith.addi
func.func @large(%x: vector<8xi32>, %y: vector<8xi32>) -> vector<8xi32> {
  %0 = arith.addi %x, %y : vector<8xi32>
  return %0 : vector<8xi32>
}

// CHECK-LABEL: func.func @unknown
// CHECK: arith.addi
func.func @unknown(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.addi %x, %y : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func @scalar
// CHECK: arith.addi
func.func @scalar(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  return %0 : i32
}
