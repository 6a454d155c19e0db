// A panel that is cut, of a product that nothing follows: its sums go through memory of whole vectors.
// RUN: mlc-opt %s --cpu-pipeline --target=x86-64-v4-amx | FileCheck %s
// CHECK-LABEL: llvm.func internal @kernel_0
// CHECK: llvm.x86.tdpbusd
// CHECK: llvm.x86.tdpbusd
// CHECK: llvm.x86.tdpbusd
func.func @main(%x: tensor<14x64xui8>) -> tensor<14x45xi32> {
  %w = arith.constant dense<3> : tensor<64x45xi8>
  %y = graph.matmul %x, %w : (tensor<14x64xui8>, tensor<64x45xi8>) -> tensor<14x45xi32>
  return %y : tensor<14x45xi32>
}
