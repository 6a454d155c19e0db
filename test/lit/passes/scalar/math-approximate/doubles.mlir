// RUN: mlc-opt %s --math-approximate | FileCheck %s
// RUN: mlc-opt %s --math-approximate --interpret --entry logs | FileCheck %s --check-prefix=LOGS
// RUN: mlc-opt %s --math-approximate --interpret --entry powers | FileCheck %s --check-prefix=POWERS
// RUN: mlc-opt %s --math-approximate --interpret --entry waves | FileCheck %s --check-prefix=WAVES
// What is computed in f64 stays a vector; special cases are IEEE's.
// CHECK-LABEL: func.func @logs
// CHECK-NOT: math.log
// CHECK: arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
// LOGS: dense<[0.000000e+00, 0.693147182, 0xFF800000, 0xFF800000, 0x7FC00000, 0x7F800000, 0x7FC00000, -103.278931]> : vector<8xf32>
func.func @logs() -> vector<8xf32> {
  %x = arith.constant dense<[1.0, 2.0, 0.0, -0.0, -1.0, 0x7F800000, 0x7FC00000, 1.401298464e-45]> : vector<8xf32>
  %0 = math.log %x : vector<8xf32>
  return %0 : vector<8xf32>
}
// CHECK-LABEL: func.func @powers
// CHECK-NOT: math.powf
// POWERS: dense<[-8.000000e+00, 0x7FC00000, 1.000000e+00, 1.000000e+00, 1.000000e+00, -0.000000e+00, 0x7F800000, 0xFF800000]> : vector<8xf32>
func.func @powers() -> vector<8xf32> {
  %x = arith.constant dense<[-2.0, -2.0, 0x7FC00000, 1.0, -1.0, -0.0, 0xFF800000, 0xFF800000]> : vector<8xf32>
  %y = arith.constant dense<[3.0, 0.5, 0.0, 0x7FC00000, 0x7F800000, 3.0, 0.5, 3.0]> : vector<8xf32>
  %0 = math.powf %x, %y : vector<8xf32>
  return %0 : vector<8xf32>
}
// The largest float is reduced as exactly as any.
// CHECK-LABEL: func.func @waves
// CHECK-NOT: math.sin
// CHECK-NOT: math.cos
// WAVES: dense<[0.000000e+00, 0.841470957, -0.521876514, 0x7FC00000]> : vector<4xf32>
// WAVES: dense<[1.000000e+00, 0.540302277, 8.530210e-01, 0x7FC00000]> : vector<4xf32>
func.func @waves() -> (vector<4xf32>, vector<4xf32>) {
  %x = arith.constant dense<[0.0, 1.0, 3.4028234663852886e+38, 0x7F800000]> : vector<4xf32>
  %0 = math.sin %x : vector<4xf32>
  %1 = math.cos %x : vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
