// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' | FileCheck %s --check-prefix=IDENTITY
// RUN: mlc-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=fully-dynamic-layout-map' | FileCheck %s --check-prefix=DYNAMIC
// Functions return buffers, and write the arguments that nobody reads afterwards. The layout of
// results is that of what is returned, none, or any.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[T:.*]]: memref<8xf32, strided<[?], offset: ?>>{{.*}}) -> memref<2xf32, strided<[?], offset: ?>>
// CHECK: %[[V:.*]] = memref.subview %[[T]]
// CHECK: return %[[V]]
// IDENTITY-LABEL: func.func @part(%arg0: memref<8xf32>, %arg1: index) -> memref<2xf32>
// IDENTITY: %[[V:.*]] = memref.subview %arg0
// IDENTITY: %[[C:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// IDENTITY: memref.copy %[[V]], %[[C]]
// IDENTITY: return %[[C]]
// DYNAMIC-LABEL: func.func @part(
func.func @part(%t: tensor<8xf32>, %i: index) -> tensor<2xf32> {
  %0 = tensor.extract_slice %t[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
// CHECK-LABEL: func.func @write(
// CHECK-NOT: alloc
// CHECK: memref.store %arg1, %arg0
// CHECK: return %arg0
func.func @write(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// What the call writes is read afterwards: it gets a copy, whose buffer is the result's.
// CHECK-LABEL: func.func @read_later(
// CHECK-SAME: %[[T:.*]]: memref<8xf32,
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[T]], %[[C]]
// CHECK: %[[P:.*]] = memref.cast %[[C]]
// CHECK: call @write(%[[P]]
// CHECK: memref.load %[[T]]
// CHECK: memref.load %[[C]]
func.func @read_later(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, f32) {
  %0 = call @write(%t, %x, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  %2 = tensor.extract %0[%i] : tensor<8xf32>
  return %1, %2 : f32, f32
}
// A view that a call gives back is copied where what it shows is overwritten.
// CHECK-LABEL: func.func @overwritten(
// CHECK-SAME: %[[T:.*]]: memref<8xf32,
// CHECK: %[[V:.*]] = call @part(%[[T]]
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[V]], %[[C]]
// CHECK: memref.store %{{.*}}, %[[T]]
// CHECK: memref.load %[[C]]
func.func @overwritten(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, tensor<8xf32>) {
  %0 = call @part(%t, %i) : (tensor<8xf32>, index) -> tensor<2xf32>
  %1 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %2 = tensor.extract %0[%i] : tensor<2xf32>
  return %2, %1 : f32, tensor<8xf32>
}
// An argument may say that it is not to be written; a constant never is, not by callers either.
// CHECK-LABEL: func.func @not_writable(
// CHECK: memref.alloc
// CHECK: memref.copy %arg0
// CHECK-LABEL: func.func @constant(
// CHECK: %[[G:.*]] = memref.get_global
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[G]], %[[C]]
// CHECK: return %[[C]]
func.func @not_writable(%t: tensor<8xf32> {bufferization.writable = false}, %x: f32, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @constant() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
