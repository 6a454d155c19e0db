// RUN: mlc-opt %s --load-dialect=%S/Inputs/blocks.yaml --bufferize --convert-linalg-to-loops | FileCheck %s
// A structured op of a loaded dialect has linalg's body and interfaces: it goes to buffers and to loops.
// CHECK-LABEL: func.func @f
// CHECK-SAME: memref<8xf32>
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: memref.store
func.func @f(%x: tensor<8xf32>, %sum: tensor<8xf32>) -> tensor<8xf32> {
  %r = blocks.scaled_add ins(%x : tensor<8xf32>) outs(%sum : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
