// RUN: mlc-opt %s --interpret --entry shifts | FileCheck %s
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry shifts | FileCheck %s
// RUN: mlc-opt %s --interpret --entry bits | FileCheck %s --check-prefix=BITS
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry bits | FileCheck %s --check-prefix=BITS
// Shifts by any amount are defined; by unsigned types nothing has a sign.
// CHECK: dense<[0, 2, -128, 0, 0]>
// CHECK: dense<[-1, -1, -64, -1, -1]>
// CHECK: dense<[0, 127, 64, 0, 0]>
func.func @shifts() -> (tensor<5xi8>, tensor<5xi8>, tensor<5xi8>) {
  %x = graph.constant dense<[-127, -1, -128, -1, -2]> : tensor<5xi8>
  %by = graph.constant dense<[8, 1, 1, -1, 100]> : tensor<5xi8>
  %y = graph.constant dense<[1, 1, -128, 1, 1]> : tensor<5xi8>
  %up = graph.constant dense<[8, 1, 0, -1, 100]> : tensor<5xi8>
  %0 = graph.shift_left %y, %up : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
  %1 = graph.shift_right %x, %by : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
  %xu = graph.bitcast %x : (tensor<5xi8>) -> tensor<5xui8>
  %byu = graph.bitcast %by : (tensor<5xi8>) -> tensor<5xui8>
  %moved = graph.shift_right %xu, %byu : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %2 = graph.bitcast %moved : (tensor<5xui8>) -> tensor<5xi8>
  return %0, %1, %2 : tensor<5xi8>, tensor<5xi8>, tensor<5xi8>
}
// BITS: dense<[0x7F800000, 1.000000e+00]>
// BITS: dense<1> : tensor<2xi8>
// BITS: dense<-3>
func.func @bits() -> (tensor<2xf32>, tensor<2xi8>, tensor<i8>) {
  %x = graph.constant dense<[-1, 3]> : tensor<2xi8>
  %y = graph.constant dense<[2, 2]> : tensor<2xi8>
  %f = graph.constant dense<[2139095040, 1065353216]> : tensor<2xi32>
  %2 = graph.bitcast %f : (tensor<2xi32>) -> tensor<2xf32>
  %a = graph.bitwise_or %x, %y : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %b = graph.bitwise_xor %a, %y : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %one = graph.constant dense<1> : tensor<i8>
  %3 = graph.bitwise_and %b, %one : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %4 = graph.reduce_prod %x {keepdims = false} : (tensor<2xi8>) -> tensor<i8>
  return %2, %3, %4 : tensor<2xf32>, tensor<2xi8>, tensor<i8>
}
