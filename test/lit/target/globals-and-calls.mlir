// RUN: mlc-translate %s --export-llvmir | FileCheck %s
// Globals with values and initialiser regions; calls by name and through a pointer; structs.
// CHECK-DAG: @table = private constant [2 x float] [float 1.000000e+00, float 2.000000e+00], align 64
llvm.mlir.global private constant @table(dense<[1.0, 2.0]> : tensor<2xf32>) {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.array<2 x f32>
// CHECK-DAG: @text = internal constant [3 x i8] c"abc"
llvm.mlir.global internal constant @text("abc") {addr_space = 0 : i32} : !llvm.array<3 x i8>
// CHECK-DAG: @pair = internal global { i32, float } { i32 7, float undef }
llvm.mlir.global internal @pair() {addr_space = 0 : i32} : !llvm.struct<(i32, f32)> {
  %empty = llvm.mlir.undef : !llvm.struct<(i32, f32)>
  %seven = llvm.mlir.constant(7 : i32) : i32
  %filled = llvm.insertvalue %seven, %empty[0] : !llvm.struct<(i32, f32)>
  llvm.return %filled : !llvm.struct<(i32, f32)>
}
// CHECK: declare float @outside(float)
llvm.func @outside(f32) -> f32
// CHECK-LABEL: define internal float @inside(float %0)
llvm.func internal @inside(%x: f32) -> f32 {
  llvm.return %x : f32
}
// CHECK-LABEL: define float @caller(float %0)
llvm.func @caller(%x: f32) -> f32 {
  // CHECK: %2 = call contract float @inside(float %0)
  %a = llvm.call @inside(%x) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
  // CHECK: %3 = call float @outside(float %2)
  %function = llvm.mlir.addressof @outside : !llvm.ptr
  %b = llvm.call %function(%a) : !llvm.ptr, (f32) -> f32
  // CHECK: %4 = load float, ptr @table
  %address = llvm.mlir.addressof @table : !llvm.ptr
  %c = llvm.load %address : !llvm.ptr -> f32
  // CHECK: fadd float %3, %4
  %d = llvm.fadd %b, %c : f32
  llvm.return %d : f32
}
