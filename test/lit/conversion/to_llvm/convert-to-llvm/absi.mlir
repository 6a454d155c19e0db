// RUN: mlc-opt %s --convert-math-to-llvm | FileCheck %s
// The least integer has no positive one, and is no poison.
// CHECK: "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK: "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (vector<4xi64>) -> vector<4xi64>
func.func @absolute(%x: i32, %y: vector<4xi64>) -> (i32, vector<4xi64>) {
  %0 = math.absi %x : i32
  %1 = math.absi %y : vector<4xi64>
  return %0, %1 : i32, vector<4xi64>
}
