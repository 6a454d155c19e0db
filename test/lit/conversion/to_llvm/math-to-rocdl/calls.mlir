// RUN: mlc-opt %s --convert-math-to-rocdl | FileCheck %s
// AMD's library has functions of f32 and f64: halves go as f32, vectors element by element; what it has not stays.
// CHECK-DAG: llvm.func @__ocml_pow_f32(f32, f32) -> f32
// CHECK-DAG: llvm.func @__ocml_fmod_f64(f64, f64) -> f64
// CHECK-DAG: llvm.func @__ocml_tanh_f32(f32) -> f32
// CHECK-LABEL: func.func @f
func.func @f(%x: f32, %d: f64, %h: f16, %v: vector<2xf32>, %b: bf16) -> (f32, f64, f16, vector<2xf32>, f32) {
  // CHECK: llvm.call @__ocml_pow_f32(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  %0 = math.powf %x, %x : f32
  // CHECK: llvm.call @__ocml_fmod_f64
  %1 = arith.remf %d, %d : f64
  // CHECK: %[[WIDE:.*]] = llvm.fpext %{{.*}} : f16 to f32
  // CHECK: %[[T:.*]] = llvm.call @__ocml_tanh_f32(%[[WIDE]])
  // CHECK: llvm.fptrunc %[[T]] : f32 to f16
  %2 = math.tanh %h : f16
  // CHECK-COUNT-2: llvm.call @__ocml_exp_f32
  %3 = math.exp %v : vector<2xf32>
  // CHECK: math.roundeven
  %4 = math.roundeven %x : f32
  return %0, %1, %2, %3, %4 : f32, f64, f16, vector<2xf32>, f32
}
