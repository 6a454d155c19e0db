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
// Of two products with one sum behind, the earlier one leaves memory bytes: only the later one's are never made.
// CHECK-LABEL: func.func @branches
// CHECK: graph.matmul
// CHECK: graph.matmul
// CHECK-DAG: graph.quantize {{.*}} -> tensor<2x4xui8>
// CHECK-DAG: graph.quantize {{.*}} -> tensor<2x4xf32>
// CHECK: return
func.func @branches(%a: tensor<2x4xui8>, %b: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %w = graph.constant dense<3> : tensor<4x4xi8>
  %s = graph.constant dense<0.25> : tensor<f32>
  %t = graph.constant dense<0.5> : tensor<f32>
  %zf = graph.constant dense<7.0> : tensor<f32>
  %z = graph.constant dense<7> : tensor<i32>
  %w0 = graph.cast %w : (tensor<4x4xi8>) -> tensor<4x4xi32>
  %w1 = graph.cast %w0 : (tensor<4x4xi32>) -> tensor<4x4xf32>
  %w2 = graph.mul %w1, %t : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %a0 = graph.cast %a : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %a1 = graph.cast %a0 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %a2 = graph.mul %a1, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %b0 = graph.cast %b : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %b1 = graph.cast %b0 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %b2 = graph.mul %b1, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %p = graph.matmul %a2, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %q = graph.matmul %b2, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %p0 = graph.div %p, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %p1 = graph.quantize %p0, %zf : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xui8>
  %q0 = graph.div %q, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %q1 = graph.quantize %q0, %zf : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xui8>
  %p2 = graph.cast %p1 : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %p3 = graph.sub %p2, %z : (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi32>
  %p4 = graph.cast %p3 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %p5 = graph.mul %p4, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %q2 = graph.cast %q1 : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %q3 = graph.sub %q2, %z : (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi32>
  %q4 = graph.cast %q3 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %q5 = graph.mul %q4, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %y = graph.add %q5, %p5 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
