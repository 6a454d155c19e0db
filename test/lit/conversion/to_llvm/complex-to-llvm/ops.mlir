// RUN: mlc-opt %s --convert-complex-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | FileCheck %s
// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s
// A complex number is a struct of its parts.

// CHECK-LABEL: llvm.func @f(%arg0: f32, %arg1: !llvm.struct<(f32, f32)>)
// CHECK: %[[U:.+]] = llvm.mlir.undef : !llvm.struct<(f32, f32)>
// CHECK: %[[R:.+]] = llvm.insertvalue %arg0, %[[U]][0]
// CHECK: %[[X:.+]] = llvm.insertvalue %arg0, %[[R]][1]
// CHECK-DAG: llvm.mlir.constant(5.000000e-01 : f32) : f32
// CHECK-DAG: llvm.mlir.constant(-2.000000e+00 : f32) : f32
// CHECK-DAG: llvm.extractvalue %[[X]][0]
// CHECK-DAG: llvm.extractvalue %arg1[1]
func.func @f(%a: f32, %y: complex<f32>) -> (f32, f32, complex<f32>) {
  %x = complex.create %a, %a : complex<f32>
  %k = complex.constant [0.5 : f32, -2.0 : f32] : complex<f32>
  %0 = complex.re %x : complex<f32>
  %1 = complex.im %y : complex<f32>
  return %0, %1, %k : f32, f32, complex<f32>
}
