// RUN: mlc-opt %s --bufferize | FileCheck %s
// The type of a buffer without elements has no stride for the dimension of size 0: a window of that
// size keeps the strides of what it is a window of.
// CHECK-LABEL: func.func @nothing(
// CHECK: memref.subview %{{.*}}[0, 0, 0] [0, 4, 6] [1, 1, 1] : memref<3x4x6xf32> to memref<0x4x6xf32, strided<[24, 6, 1]>>
func.func @nothing(%x: tensor<3x4x6xf32>) -> tensor<0x4x6xf32> {
  %y = tensor.extract_slice %x[0, 0, 0] [0, 4, 6] [1, 1, 1] : tensor<3x4x6xf32> to tensor<0x4x6xf32>
  return %y : tensor<0x4x6xf32>
}
