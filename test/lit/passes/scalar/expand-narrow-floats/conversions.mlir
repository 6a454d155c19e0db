// RUN: mlc-opt %s --expand-narrow-floats --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --expand-narrow-floats --target=x86-64-v2 | FileCheck %s --check-prefix=INTS
// RUN: mlc-opt %s --expand-narrow-floats --target=x86-64-v2 -o %t
// RUN: mlc-opt %t --expand-narrow-floats --target=x86-64-v2 | diff %t -
// Conversions of f16 stay where the machine has them, and are integers elsewhere.
// CHECK-LABEL: func.func @f16
// CHECK-NEXT: arith.extf %arg0 : vector<8xf16> to vector<8xf32>
// CHECK-NEXT: arith.truncf %arg1 : vector<8xf32> to vector<8xf16>
// CHECK-NEXT: return
// INTS-LABEL: func.func @f16
// INTS-NOT: arith.{{extf|truncf}}
// INTS: arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
// INTS: arith.bitcast %{{.*}} : vector<8xi16> to vector<8xf16>
func.func @f16(%x: vector<8xf16>, %y: vector<8xf32>) -> (vector<8xf32>, vector<8xf16>) {
  %wide = arith.extf %x : vector<8xf16> to vector<8xf32>
  %narrow = arith.truncf %y : vector<8xf32> to vector<8xf16>
  return %wide, %narrow : vector<8xf32>, vector<8xf16>
}

// Those of bf16 are integers everywhere.
// CHECK-LABEL: func.func @bf16
// CHECK-NOT: arith.{{extf|truncf}}
// CHECK: arith.shli
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
func.func @bf16(%x: bf16, %y: f32) -> (f32, bf16) {
  %wide = arith.extf %x : bf16 to f32
  %narrow = arith.truncf %y : f32 to bf16
  return %wide, %narrow : f32, bf16
}

// From f64, by way of an f32 that is odd where it is not exact.
// CHECK-LABEL: func.func @f64
// CHECK: %[[N:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK: %[[B:.*]] = arith.extf %[[N]] : f32 to f64
// CHECK: arith.cmpf one, %[[B]], %arg0
// CHECK: arith.ori
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @f64(%x: f64) -> f16 {
  %narrow = arith.truncf %x : f64 to f16
  return %narrow : f16
}

// Integers that f32 holds, and those that it does not.
// CHECK-LABEL: func.func @ints
// CHECK: arith.sitofp %arg0 : i16 to f32
// CHECK: arith.sitofp %{{.*}} : i64 to f64
// CHECK: arith.cmpf one
func.func @ints(%x: i16, %y: i64) -> (bf16, bf16) {
  %a = arith.sitofp %x : i16 to bf16
  %b = arith.sitofp %y : i64 to bf16
  return %a, %b : bf16, bf16
}
