// REQUIRES: target
// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s
// RUN: mlc-opt %s --convert-to-llvm | mlc-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// LLVM has no floats of 8 bits: they are integers of their bits.
// CHECK-LABEL: llvm.func @f8
// CHECK-SAME: %[[X:.*]]: vector<4xi8>) -> vector<4xi8>
// CHECK: llvm.mlir.constant(dense<1.500000e+00> : vector<4xf8E5M2>) : vector<4xi8>
// LLVM-LABEL: define <4 x i8> @f8(
// LLVM: select i1 true, <4 x i8> {{.*}}, <4 x i8> <i8 62, i8 62, i8 62, i8 62>
func.func @f8(%x: vector<4xf8E5M2>) -> vector<4xf8E5M2> {
  %yes = arith.constant true
  %c = arith.constant dense<1.5> : vector<4xf8E5M2>
  %y = arith.select %yes, %x, %c : vector<4xf8E5M2>
  return %y : vector<4xf8E5M2>
}
