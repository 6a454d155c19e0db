// RUN: mlc-opt %s --convert-math-to-llvm | FileCheck %s
// Counts of bits are intrinsics, defined of zero.
// CHECK: "llvm.intr.ctlz"(%arg0) <{is_zero_poison = false}> : (i32) -> i32
// CHECK: "llvm.intr.cttz"(%arg0) <{is_zero_poison = false}> : (i32) -> i32
// CHECK: llvm.intr.ctpop(%arg1) : (vector<4xi16>) -> vector<4xi16>
func.func @f(%x: i32, %v: vector<4xi16>) -> (i32, i32, vector<4xi16>) {
  %0 = math.ctlz %x : i32
  %1 = math.cttz %x : i32
  %2 = math.ctpop %v : vector<4xi16>
  return %0, %1, %2 : i32, i32, vector<4xi16>
}
