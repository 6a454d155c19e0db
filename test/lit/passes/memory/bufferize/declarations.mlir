// RUN: mlc-opt %s --bufferize | FileCheck %s
// A function that is defined elsewhere has the signature that its calls pass buffers to.
// CHECK: func.func private @f(memref<4xf32>, i32, memref<8xf32>) -> i32
func.func private @f(tensor<4xf32>, i32) -> (tensor<8xf32>, i32)
// CHECK: func.func @caller(%[[X:.*]]: memref<4xf32>, %[[N:.*]]: i32, %[[OUT:.*]]: memref<8xf32> {mlc.result}) -> i32
// CHECK: call @f(%[[X]], %[[N]], %[[OUT]]) : (memref<4xf32>, i32, memref<8xf32>) -> i32
func.func @caller(%x: tensor<4xf32>, %n: i32) -> (tensor<8xf32>, i32) {
  %0:2 = call @f(%x, %n) : (tensor<4xf32>, i32) -> (tensor<8xf32>, i32)
  return %0#0, %0#1 : tensor<8xf32>, i32
}
// CHECK: func.func private @no_tensors(i32)
func.func private @no_tensors(i32)
// CHECK: llvm.func @of_another_kind(!llvm.ptr)
llvm.func @of_another_kind(!llvm.ptr)
