// RUN: mlc-opt %s --graph-widen-floats | FileCheck %s
// What decides sees the rounded number: comparisons, casts to integers. A cast to f16 in the model rounds there, one to f32
// takes what was computed.
// CHECK-LABEL: func.func @f
// CHECK: %[[E:.*]] = graph.exp {{.*}} -> tensor<4xf32>
// CHECK: %[[N:.*]] = graph.cast %[[E]] : (tensor<4xf32>) -> tensor<4xf16>
// CHECK: %[[L:.*]] = graph.less %[[N]], %arg0 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
// CHECK: %[[I:.*]] = graph.cast %[[N]] : (tensor<4xf16>) -> tensor<4xi32>
// CHECK: %[[W:.*]] = graph.cast %[[E]] : (tensor<4xf32>) -> tensor<4xf64>
// CHECK: return %[[L]], %[[I]], %[[W]]
func.func @f(%x: tensor<4xf16>) -> (tensor<4xi1>, tensor<4xi32>, tensor<4xf64>) {
  %e = graph.exp %x : (tensor<4xf16>) -> tensor<4xf16>
  %less = graph.less %e, %x : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %int = graph.cast %e : (tensor<4xf16>) -> tensor<4xi32>
  %wide = graph.cast %e : (tensor<4xf16>) -> tensor<4xf64>
  return %less, %int, %wide : tensor<4xi1>, tensor<4xi32>, tensor<4xf64>
}

// CHECK-LABEL: func.func @asked
// CHECK: %[[C:.*]] = graph.cast %arg0 : (tensor<4xf32>) -> tensor<4xf16>
// CHECK: %[[W:.*]] = graph.cast %[[C]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: graph.exp %[[W]]
func.func @asked(%x: tensor<4xf32>) -> tensor<4xf16> {
  %c = graph.cast %x : (tensor<4xf32>) -> tensor<4xf16>
  %r = graph.exp %c : (tensor<4xf16>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}
