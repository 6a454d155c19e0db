// RUN: mlc-opt %s --convert-math-to-libm | FileCheck %s
// Functions of scalars become calls; what LLVM has an intrinsic for stays.

// CHECK-LABEL: @f(
// CHECK: call @atan2(%arg0, %arg0) : (f64, f64) -> f64
// CHECK: call @tanf(%arg1) : (f32) -> f32
// CHECK: call @tanf(
// CHECK: math.sin %arg0 : f64
// CHECK: func.func private @atan2(f64, f64) -> f64
// CHECK: func.func private @tanf(f32) -> f32
// CHECK-NOT: @tanf
func.func @f(%x: f64, %y: f32) -> (f64, f32, f64) {
  %0 = math.atan2 %x, %x : f64
  %1 = math.tan %y : f32
  %2 = math.tan %1 : f32
  %3 = math.sin %x : f64
  return %0, %2, %3 : f64, f32, f64
}
