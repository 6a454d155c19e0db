// RUN: mlc-opt %s --math-approximate | FileCheck %s
// RUN: mlc-opt %s --math-approximate --interpret --entry values | FileCheck %s --check-prefix=VALUES
// Overflow, denormal results, underflow, NaN and infinities are those of exp.
// CHECK-LABEL: func.func @values
// CHECK-NOT: math.exp
// CHECK: math.fma {{.*}} : vector<8xf32>
// VALUES: dense<[1.000000e+00, 2.71828{{.*}}, 0x7F800000, 9.98235{{.*}}E-39, 0.000000e+00, 0x7FC00000, 0x7F800000, 0.000000e+00]> : vector<8xf32>
func.func @values() -> vector<8xf32> {
  %x = arith.constant dense<[0.0, 1.0, 88.8, -87.5, -105.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : vector<8xf32>
  %exp = math.exp %x : vector<8xf32>
  return %exp : vector<8xf32>
}
