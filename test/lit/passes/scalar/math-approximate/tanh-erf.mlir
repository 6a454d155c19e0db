// RUN: mlc-opt %s --math-approximate | FileCheck %s
// RUN: mlc-opt %s --math-approximate --interpret --entry values | FileCheck %s --check-prefix=VALUES
// Vectors stay vectors; narrow floats go by way of f32; doubles are left alone.
// CHECK-LABEL: func.func @values
// CHECK-NOT: math.tanh
// CHECK: arith.divf {{.*}} : vector<4xf32>
// CHECK-NOT: math.erf
// VALUES: dense<[0.000000e+00, 0.76159{{.*}}, -1.000000e+00, 0x7FC00000]> : vector<4xf32>
// VALUES: dense<[0.000000e+00, 0.8427{{.*}}, -{{1.000000e\+00|0.99999.*}}, 0x7FC00000]> : vector<4xf32>
func.func @values() -> (vector<4xf32>, vector<4xf32>) {
  %x = arith.constant dense<[0.0, 1.0, -20.0, 0x7FC00000]> : vector<4xf32>
  %tanh = math.tanh %x : vector<4xf32>
  %erf = math.erf %x : vector<4xf32>
  return %tanh, %erf : vector<4xf32>, vector<4xf32>
}
// CHECK-LABEL: func.func @widths
// CHECK: arith.extf
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: math.tanh {{.*}} : f64
func.func @widths(%x: bf16, %y: f64) -> (bf16, f64) {
  %0 = math.tanh %x : bf16
  %1 = math.tanh %y : f64
  return %0, %1 : bf16, f64
}
