// RUN: mlc-opt --canonicalize %s | FileCheck %s
// A function is folded where it is defined; f32 as the program would compute it.
// CHECK-LABEL: @fold(
// CHECK-DAG: %[[E:.*]] = arith.constant 1.71828175 : f32
// CHECK-DAG: %[[M:.*]] = arith.constant -1.000000e+00 : f32
// CHECK: %[[LOG:.*]] = math.log2 %[[M]] : f32
// CHECK: %[[ROOT:.*]] = math.sqrt %[[M]] : f32
// CHECK: return %[[E]], %[[LOG]], %[[ROOT]]
func.func @fold() -> (f32, f32, f32) {
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %0 = math.expm1 %one : f32
  %1 = math.log2 %minus : f32
  %2 = math.sqrt %minus : f32
  return %0, %1, %2 : f32, f32, f32
}
