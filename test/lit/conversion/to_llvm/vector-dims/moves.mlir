// RUN: mlc-opt %s --lower-vector-dims | FileCheck %s
// RUN: mlc-opt %s --interpret --entry all --input iota --input random:3 | FileCheck %s --check-prefix=VALUE
// RUN: mlc-opt %s --lower-vector-dims --interpret --entry all --input iota --input random:3 | FileCheck %s --check-prefix=VALUE
// Ops that only choose elements become rows: taken out, shuffled, put together. Their meaning stays.
// VALUE: dense<{{\[}}[0.000000e+00, 3.000000e+00], [1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00]]> : vector<3x2xf32>
// VALUE: dense<{{\[}}{{\[}}[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]], {{\[}}[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]]> : vector<2x2x3xf32>
// VALUE: dense<{{\[}}[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : vector<3x2xf32>
// VALUE: dense<[1.000000e+00, 2.000000e+00]> : vector<2xf32>
// CHECK-LABEL: @transpose
// CHECK: %[[R0:.*]] = vector.extract %arg0[0] : vector<3xf32> from vector<2x3xf32>
// CHECK: %[[R1:.*]] = vector.extract %arg0[1]
// CHECK: vector.shuffle %[[R0]], %[[R1]] [0, 3] : vector<3xf32>, vector<3xf32>
// CHECK-NOT: vector.transpose
func.func @transpose(%a: vector<2x3xf32>) -> vector<3x2xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}
// What is chosen whole and in order is the value itself.
// CHECK-LABEL: @same
// CHECK-NEXT: return %arg0
func.func @same(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.extract_strided_slice %a {offsets = [0], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
// Lanes of many rows are put together one by one; one lane is spread.
// CHECK-LABEL: @many_rows
// CHECK-COUNT-4: vector.extract {{.*}} : f32 from vector<4x2xf32>
// CHECK: vector.from_elements
// CHECK-LABEL: @one_lane
// CHECK: %[[X:.*]] = vector.extract %arg0[1, 0] : f32
// CHECK: vector.broadcast %[[X]] : f32 to vector<3xf32>
func.func @many_rows(%a: vector<4x2xf32>) -> vector<2x4xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
func.func @one_lane(%a: vector<2x1xf32>) -> vector<2x3xf32> {
  %0 = vector.broadcast %a : vector<2x1xf32> to vector<2x3xf32>
  return %0 : vector<2x3xf32>
}
func.func @all(%a: vector<2x3xf32>, %b: vector<4xf32>) -> (vector<3x2xf32>, vector<2x2x3xf32>, vector<3x2xf32>, vector<2xf32>, vector<4x4xf32>, vector<2xf32>, vector<2xf32>, vector<2x6xf32>) {
  %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %1 = vector.broadcast %a : vector<2x3xf32> to vector<2x2x3xf32>
  %2 = vector.shape_cast %a : vector<2x3xf32> to vector<3x2xf32>
  %r = vector.extract %a[0] : vector<3xf32> from vector<2x3xf32>
  %3 = vector.extract_strided_slice %r {offsets = [1], sizes = [2], strides = [1]} : vector<3xf32> to vector<2xf32>
  %z = arith.constant dense<0.5> : vector<4x4xf32>
  %4 = vector.insert_strided_slice %a, %z {offsets = [1, 1], strides = [1, 1]} : vector<2x3xf32> into vector<4x4xf32>
  %e, %o = vector.deinterleave %b : vector<4xf32> -> vector<2xf32>
  %i = vector.interleave %a, %a : vector<2x3xf32> -> vector<2x6xf32>
  return %0, %1, %2, %3, %4, %e, %o, %i : vector<3x2xf32>, vector<2x2x3xf32>, vector<3x2xf32>, vector<2xf32>, vector<4x4xf32>, vector<2xf32>, vector<2xf32>, vector<2x6xf32>
}
