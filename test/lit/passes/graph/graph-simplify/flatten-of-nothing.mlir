// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// Every size of the result is said, behind one of 0 too.
// CHECK: graph.reshape %arg0 {allow_zero = true, shape = array<i64: 0, 16>}
func.func @images(%x: tensor<0x16x1x1xf32>) -> tensor<0x16xf32> {
  %0 = graph.flatten %x : (tensor<0x16x1x1xf32>) -> tensor<0x16xf32>
  return %0 : tensor<0x16xf32>
}
