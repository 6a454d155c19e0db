// RUN: mlc-translate --export-llvmir %s | FileCheck %s
// Lists of arguments: LLVM's names have an underscore.
// CHECK-LABEL: define i32 @second(i32 %0, ...)
// CHECK: call void @llvm.va_start.p0(ptr %[[LIST:.*]])
// CHECK: call void @llvm.va_copy.p0(ptr %{{.*}}, ptr %[[LIST]])
// CHECK: call void @llvm.va_end.p0(ptr %[[LIST]])
llvm.func @second(%first: i32, ...) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %list = llvm.alloca %one x !llvm.array<24 x i8> : (i32) -> !llvm.ptr
  %other = llvm.alloca %one x !llvm.array<24 x i8> : (i32) -> !llvm.ptr
  llvm.intr.vastart %list : !llvm.ptr
  llvm.intr.vacopy %list to %other : !llvm.ptr, !llvm.ptr
  llvm.intr.vaend %list : !llvm.ptr
  llvm.return %first : i32
}
