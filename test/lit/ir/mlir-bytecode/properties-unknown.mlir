// REQUIRES: mlir-opt
// Properties are written by the definition of their op; without it they cannot be read, and are not guessed.
// RUN: mlir-opt %s --emit-bytecode -o %t.mlirbc
// RUN: not mlc-opt %t.mlirbc -allow-unregistered-dialect 2>&1 | FileCheck %s
// RUN: not mlc-opt %t.mlirbc 2>&1 | FileCheck --check-prefix=STRICT %s
// CHECK: properties-unknown.mlir:10:8: error: the properties of 'tosa.transpose_conv2d' cannot be read: they are in the encoding of its definition, which is not known here
// STRICT: error: invalid bytecode at byte {{[0-9]+}}: unregistered operation 'tosa.transpose_conv2d' found in dialect that does not allow unknown operations

func.func @f(%a: tensor<1x4x4x1xf32>, %b: tensor<1x1x1x1xf32>, %c: tensor<1xf32>) -> tensor<1x4x4x1xf32> {
  %0 = tosa.transpose_conv2d %a, %b, %c {out_pad = array<i64: 0, 0, 0, 0>, out_shape = array<i64: 1, 4, 4, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}
