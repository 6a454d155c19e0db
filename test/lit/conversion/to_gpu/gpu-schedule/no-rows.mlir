// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// No run of rows: short rows, sums of halves, sums down columns, rows too long for registers, no reduction at all.
// CHECK-NOT: kind = {{fma|mma|rows}}
func.func @short(%a: memref<64x8xf32>, %s: memref<64xf32>) {
  linalg.reduce {arith.addf} ins(%a : memref<64x8xf32>) outs(%s : memref<64xf32>) dimensions = [1]
  return
}
func.func @halves(%a: memref<64x64xf16>, %s: memref<64xf16>) {
  linalg.reduce {arith.addf} ins(%a : memref<64x64xf16>) outs(%s : memref<64xf16>) dimensions = [1]
  return
}
func.func @columns(%a: memref<64x64xf32>, %s: memref<64xf32>) {
  linalg.reduce {arith.addf} ins(%a : memref<64x64xf32>) outs(%s : memref<64xf32>) dimensions = [0]
  return
}
func.func @long(%a: memref<2x65536xf32>, %s: memref<2xf32>) {
  linalg.reduce {arith.addf} ins(%a : memref<2x65536xf32>) outs(%s : memref<2xf32>) dimensions = [1]
  return
}
func.func @walk(%a: memref<64x64xf32>, %s: memref<64x64xf32>) {
  linalg.exp ins(%a : memref<64x64xf32>) outs(%s : memref<64x64xf32>)
  return
}
