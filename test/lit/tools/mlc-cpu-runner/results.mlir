// RUN: mlc-cpu-runner %s -e ratio | FileCheck %s --check-prefix=F32
// RUN: mlc-cpu-runner %s -e ratio -entry-point-result=f32 -O3 | FileCheck %s --check-prefix=F32
// RUN: mlc-cpu-runner %s -e small --entry-point-result=i32 -O0 | FileCheck %s --check-prefix=I32
// RUN: mlc-cpu-runner -entry-point-result=i64 < %s | FileCheck %s --check-prefix=I64
// RUN: mlc-cpu-runner %s -e nothing -entry-point-result=void -O2 > %t
// RUN: diff %t /dev/null
// A function without arguments is called, and what it returns is printed as mlir-cpu-runner does.
// F32: {{^}}3.750000e+01{{$}}
// I32: {{^}}-7{{$}}
// I64: {{^}}5000000000{{$}}
llvm.func @ratio() -> f32 {
  %0 = llvm.mlir.constant(37.5 : f32) : f32
  llvm.return %0 : f32
}
llvm.func @small() -> i32 {
  %0 = llvm.mlir.constant(-7 : i32) : i32
  llvm.return %0 : i32
}
llvm.func @main() -> i64 {
  %0 = llvm.mlir.constant(5000000000 : i64) : i64
  llvm.return %0 : i64
}
llvm.func @nothing() {
  llvm.return
}
