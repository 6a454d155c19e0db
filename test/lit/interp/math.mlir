// RUN: mlc-opt %s --interpret --entry f --input 'dense<[0.5, 2.0]> : vector<2xf64>' --input 40 | FileCheck %s
// Expected numbers: Python's math module.
func.func @f(%x: vector<2xf64>, %n: i32) -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, i32, i32, i32) {
  // CHECK: dense<[1.6487212707001282, 7.3890560989306504]> : vector<2xf64>
  %exp = math.exp %x : vector<2xf64>
  // CHECK-NEXT: dense<[0.46211715726000974, 0.9640275800758169]> : vector<2xf64>
  %tanh = math.tanh %x : vector<2xf64>
  // CHECK-NEXT: dense<[1.4142135623730949, 0.70710678118654746]> : vector<2xf64>
  %rsqrt = math.rsqrt %x : vector<2xf64>
  // CHECK-NEXT: dense<[7.500000e-01, 6.000000e+00]> : vector<2xf64>
  %half = arith.constant dense<[0.5, 2.0]> : vector<2xf64>
  %fma = math.fma %x, %x, %half : vector<2xf64>
  // CHECK-NEXT: 26 : i32
  %ctlz = math.ctlz %n : i32
  // CHECK-NEXT: 3 : i32
  %cttz = math.cttz %n : i32
  // CHECK-NEXT: 2 : i32
  %ctpop = math.ctpop %n : i32
  return %exp, %tanh, %rsqrt, %fma, %ctlz, %cttz, %ctpop
      : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, i32, i32, i32
}
