// RUN: mlc-translate --export-llvmir %s | FileCheck %s
// Matrices in flat vectors, from and to memory.
// CHECK-LABEL: define void @copy(ptr %0, i64 %1)
// CHECK: %[[M:.+]] = call <48 x float> @llvm.matrix.column.major.load.v48f32.i64(ptr %0, i64 %1, i1 true, i32 3, i32 16)
// CHECK: call void @llvm.matrix.column.major.store.v48f32.i64(<48 x float> %[[M]], ptr %0, i64 %1, i1 false, i32 3, i32 16)
llvm.func @copy(%p: !llvm.ptr, %stride: i64) {
  %m = llvm.intr.matrix.column.major.load %p, <stride=%stride> {isVolatile = 1 : i1, rows = 3 : i32, columns = 16 : i32} : vector<48xf32> from !llvm.ptr stride i64
  llvm.intr.matrix.column.major.store %m, %p, <stride=%stride> {isVolatile = 0 : i1, rows = 3 : i32, columns = 16 : i32} : vector<48xf32> to !llvm.ptr stride i64
  llvm.return
}
