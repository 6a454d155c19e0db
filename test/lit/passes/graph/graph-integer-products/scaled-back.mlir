// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --interpret --entry once --input random:1 > %t.before
// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni --interpret --entry once --input random:1 > %t.after
// RUN: diff %t.before %t.after
// Bytes that are only scaled back are never made: reals are rounded, and held between the bounds less the zero point.
// CHECK-LABEL: func.func @once
// CHECK: %[[R:.*]] = graph.quantize %{{.*}}, %{{.*}} {high = 2.480000e+02 : f32, low = -7.000000e+00 : f32} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = graph.mul %[[R]], %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[S]]
func.func @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = graph.constant dense<0.25> : tensor<f32>
  %zf = graph.constant dense<7.0> : tensor<f32>
  %z = graph.constant dense<7> : tensor<i32>
  %0 = graph.div %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.quantize %0, %zf : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %2 = graph.cast %1 : (tensor<4xui8>) -> tensor<4xi32>
  %3 = graph.sub %2, %z : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = graph.cast %3 : (tensor<4xi32>) -> tensor<4xf32>
  %5 = graph.mul %4, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
// Bytes that somebody else wants are kept, and a zero point that is another one is a shift.
// CHECK-LABEL: func.func @both
// CHECK: graph.quantize {{.*}} -> tensor<4xui8>
// CHECK: graph.quantize {{.*}} -> tensor<4xui8>
func.func @both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xui8>, tensor<4xf32>) {
  %s = graph.constant dense<0.25> : tensor<f32>
  %zf = graph.constant dense<7.0> : tensor<f32>
  %z = graph.constant dense<7> : tensor<i32>
  %other = graph.constant dense<8> : tensor<i32>
  %0 = graph.div %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.quantize %0, %zf : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %2 = graph.cast %1 : (tensor<4xui8>) -> tensor<4xi32>
  %3 = graph.sub %2, %z : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = graph.cast %3 : (tensor<4xi32>) -> tensor<4xf32>
  %5 = graph.mul %4, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.quantize %x, %zf : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %7 = graph.cast %6 : (tensor<4xui8>) -> tensor<4xi32>
  %8 = graph.sub %7, %other : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %9 = graph.cast %8 : (tensor<4xi32>) -> tensor<4xf32>
  %10 = graph.mul %9, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %5, %1, %10 : tensor<4xf32>, tensor<4xui8>, tensor<4xf32>
}
