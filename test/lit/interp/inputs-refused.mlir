// RUN: not mlc-opt %s --interpret --entry f32s --input %t.none.npy 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not mlc-opt %s --interpret --entry f32s --input 'dense<1> : tensor<4xi32>' 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not mlc-opt %s --interpret --entry f32s --input '1.0 : f32' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not mlc-opt %s --interpret --entry f32s --input '"text"' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not mlc-opt %s --interpret --entry f32s --input 'random:many' 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not mlc-opt %s --interpret --entry f32s --input constants 2>&1 | FileCheck %s --check-prefix=CONSTANTS
// RUN: not mlc-opt %s --interpret --entry bytes --input constants 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not mlc-opt %s --interpret --entry complexes --input zeros 2>&1 | FileCheck %s --check-prefix=GENERATED
// RUN: not mlc-opt %s --interpret --entry dynamic --input zeros 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not mlc-opt %s --interpret --entry strided --input zeros 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not mlc-opt %s --interpret --entry pointer --input zeros 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not mlc-opt %s --interpret --entry pointer --input 'zeros as f32' 2>&1 | FileCheck %s --check-prefix=POINTEE
// RUN: not mlc-opt %s --interpret --entry number 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: mlc-opt %s --interpret --entry four --output %t.npy
// RUN: not mlc-opt %s --interpret --entry scalar --input %t.npy 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not mlc-opt %s --interpret --entry halves --input %t.npy 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not mlc-opt %s --interpret --entry give --output %t.npy 2>&1 | FileCheck %s --check-prefix=NPY
// Inputs that are not of their argument's type, and what is no function.
// FILE: error: {{.*}}.none.npy'
// ELEMENT: has elements of another type
// KIND: is of another kind
// TEXT: is no number, and no elements
// SEED: has no seed of 64 bits
// CONSTANTS: is only for a memref of i8 in a module with mlc.constants
// SMALL: is too small for them, or one has no bytes
// GENERATED: cannot be generated
// DYNAMIC: has no static shape to generate for; write an attribute, or a .npy file
// BYTES: needs more bytes for 'memref<2xf32, strided<[4611686018427387904]>>' than can be counted
// POINTER: input 'zeros' for a pointer does not say 'as' which type
// POINTEE: input 'zeros as f32': a pointer points at a tensor or a memref
// SINGLE: is no single value
// NPY: a value that .npy files cannot hold
// FUNCTION: is no function that can be called
module attributes {mlc.constants = [dense<1.0> : tensor<4xf32>]} {
  func.func @f32s(%x: tensor<4xf32>) {
    return
  }
  func.func @bytes(%x: memref<8xi8>) {
    return
  }
  func.func @complexes(%x: tensor<4xcomplex<f32>>) {
    return
  }
  func.func @dynamic(%x: tensor<?xf32>) {
    return
  }
  func.func @strided(%x: memref<2xf32, strided<[4611686018427387904]>>) {
    return
  }
  func.func @pointer(%x: !llvm.ptr) {
    return
  }
  func.func @scalar(%x: f32) {
    return
  }
  func.func @halves(%x: tensor<4xf16>) {
    return
  }
  func.func @four() -> tensor<4xf32> {
    %0 = arith.constant dense<1.0> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @give() -> tensor<4xi1024> {
    %0 = arith.constant dense<1> : tensor<4xi1024>
    return %0 : tensor<4xi1024>
  }
  memref.global @number : memref<f32>
}
