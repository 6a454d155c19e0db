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

// Floats of 8 bits are so too: 448 is the largest of E4M3FN, beyond which NaN is all ones.
// CHECK-LABEL: func.func @f8
// CHECK-NOT: arith.{{extf|truncf}}
// CHECK: arith.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: %[[CODE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xi32>
// CHECK: arith.cmpi sgt, %[[CODE]], %{{.*}} : vector<4xi32>
// CHECK: arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E4M3FN>
func.func @f8(%x: vector<4xf8E5M2>, %y: vector<4xf32>) -> (vector<4xf32>, vector<4xf8E4M3FN>) {
  %wide = arith.extf %x : vector<4xf8E5M2> to vector<4xf32>
  %narrow = arith.truncf %y : vector<4xf32> to vector<4xf8E4M3FN>
  return %wide, %narrow : vector<4xf32>, vector<4xf8E4M3FN>
}

// CHECK-LABEL: func.func @between_narrow
// CHECK-NOT: arith.{{extf|truncf}} %{{.*}} : f8
// CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2FNUZ
func.func @between_narrow(%x: f8E4M3FN, %y: f16, %i: i32) -> (f16, f8E4M3FN, f8E5M2FNUZ) {
  %half = arith.extf %x : f8E4M3FN to f16
  %byte = arith.truncf %y : f16 to f8E4M3FN
  %count = arith.sitofp %i : i32 to f8E5M2FNUZ
  return %half, %byte, %count : f16, f8E4M3FN, f8E5M2FNUZ
}
