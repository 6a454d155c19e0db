// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input random:1 > %t.before
// RUN: mlc-opt %s --graph-integer-products --target=x86-64-v4-vnni --interpret --entry f --input random:1 > %t.after
// RUN: diff %t.before %t.after
// A convolution of reals that are rounded to bytes before and behind it: no float op is left but one scale and the bias,
// both in units of the next bytes. Windows hang over into the zero point, 128 higher as the bytes are.
// CHECK-DAG: %[[BIAS:.*]] = graph.constant dense<{{\[\[\[}}2.500000e-01]], {{\[\[}}5.000000e-01]]]> : tensor<2x1x1xf32>
// CHECK-DAG: %[[SCALE:.*]] = graph.constant dense<{{\[\[\[}}3.125000e-02]], {{\[\[}}1.562500e-02]]]> : tensor<2x1x1xf32>
// CHECK: %[[Q:.*]] = graph.quantize %{{.*}} : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xui8>
// CHECK: %[[P:.*]] = graph.pad %[[Q]] {pads = array<i64: 0, 0, 1, 1, 0, 0, 0, 0>, value = 1.250000e+02 : f32}
// CHECK: %[[Y:.*]] = graph.conv %[[P]], %{{.*}} : (tensor<1x4x7x7xui8>, tensor<2x4x3x3xi8>) -> tensor<1x2x3x3xi32>
// CHECK: %[[SUM:.*]] = graph.add %[[Y]], %{{.*}} : (tensor<1x2x3x3xi32>, tensor<2x1x1xi32>)
// CHECK: %[[REAL:.*]] = graph.cast %[[SUM]]
// CHECK: %[[SCALED:.*]] = graph.mul %[[REAL]], %[[SCALE]]
// CHECK: %[[BIASED:.*]] = graph.add %[[SCALED]], %[[BIAS]]
// CHECK: %[[RELU:.*]] = graph.relu %[[BIASED]]
// CHECK: graph.quantize %[[RELU]]
func.func @f(%x: tensor<1x4x6x6xf32>) -> tensor<1x2x3x3xi8> {
  %w = graph.constant dense<5> : tensor<2x4x3x3xi8>
  %sx = graph.constant dense<0.5> : tensor<f32>
  %sw = graph.constant dense<[[[[0.25]]], [[[0.125]]]]> : tensor<2x1x1x1xf32>
  %sy = graph.constant dense<4.0> : tensor<f32>
  %zf = graph.constant dense<-3.0> : tensor<f32>
  %zi = graph.constant dense<-3> : tensor<i32>
  %bias = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = graph.div %x, %sx : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  %q = graph.quantize %d, %zf {low = -128.0 : f32, high = 127.0 : f32} : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xi8>
  %q0 = graph.cast %q : (tensor<1x4x6x6xi8>) -> tensor<1x4x6x6xi32>
  %q1 = graph.sub %q0, %zi : (tensor<1x4x6x6xi32>, tensor<i32>) -> tensor<1x4x6x6xi32>
  %q2 = graph.cast %q1 : (tensor<1x4x6x6xi32>) -> tensor<1x4x6x6xf32>
  %r = graph.mul %q2, %sx : (tensor<1x4x6x6xf32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  %w0 = graph.cast %w : (tensor<2x4x3x3xi8>) -> tensor<2x4x3x3xi32>
  %w1 = graph.cast %w0 : (tensor<2x4x3x3xi32>) -> tensor<2x4x3x3xf32>
  %w2 = graph.mul %w1, %sw : (tensor<2x4x3x3xf32>, tensor<2x1x1x1xf32>) -> tensor<2x4x3x3xf32>
  %c = graph.conv %r, %w2, %bias {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x4x6x6xf32>, tensor<2x4x3x3xf32>, tensor<2xf32>) -> tensor<1x2x3x3xf32>
  %relu = graph.relu %c : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %e = graph.div %relu, %sy : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %y = graph.quantize %e, %zf {low = -128.0 : f32, high = 127.0 : f32} : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xi8>
  return %y : tensor<1x2x3x3xi8>
}
