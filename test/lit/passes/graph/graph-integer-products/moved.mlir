// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni --split-input-file | FileCheck %s
// RUN: mlc-opt %s --graph-integer-products --graph-integer-products --canonicalize --target=x86-64-v4-vnni --split-input-file | FileCheck %s
// Numbers are moved, and the largest of a window taken, as bytes; rounding them again to the same bytes is none.
// CHECK-LABEL: func.func @moved
// CHECK-NEXT: %[[M:.*]] = graph.max_pool %arg0 {{.*}} : (tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xui8>
// CHECK-NEXT: %[[T:.*]] = graph.transpose %[[M]]
// CHECK-NEXT: return %[[T]]
func.func @moved(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xui8> {
  %s = graph.constant dense<0.3> : tensor<f32>
  %z = graph.constant dense<7> : tensor<i32>
  %zf = graph.constant dense<7.0> : tensor<f32>
  %0 = graph.cast %x : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi32>
  %1 = graph.sub %0, %z : (tensor<1x2x4x4xi32>, tensor<i32>) -> tensor<1x2x4x4xi32>
  %2 = graph.cast %1 : (tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xf32>
  %3 = graph.mul %2, %s : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %4 = graph.max_pool %3 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %5 = graph.transpose %4 {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %6 = graph.div %5, %s : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %7 = graph.quantize %6, %zf : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xui8>
  return %7 : tensor<1x2x2x2xui8>
}

// -----

// Another scale is another rounding, by the reciprocal.
// CHECK-LABEL: func.func @rescaled
// CHECK-DAG: %[[R:.*]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK: graph.mul %{{.*}}, %[[R]]
// CHECK: graph.quantize
func.func @rescaled(%x: tensor<4xui8>) -> tensor<4xui8> {
  %s = graph.constant dense<0.25> : tensor<f32>
  %t = graph.constant dense<0.5> : tensor<f32>
  %zf = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.cast %x : (tensor<4xui8>) -> tensor<4xi32>
  %2 = graph.cast %0 : (tensor<4xi32>) -> tensor<4xf32>
  %3 = graph.mul %2, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.div %3, %t : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.quantize %6, %zf : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %7 : tensor<4xui8>
}
