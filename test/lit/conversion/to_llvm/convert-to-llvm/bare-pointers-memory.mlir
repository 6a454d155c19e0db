// RUN: mlc-opt %s --convert-to-llvm=bare-pointers | FileCheck %s
// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s --check-prefix=MALLOC
// Where pointers are bare, memory is the runtime's, which aligns: what is freed is the pointer.
// CHECK-LABEL: llvm.func @f(
// CHECK: %[[P:.*]] = llvm.call @mlc_code_alloc(%{{.*}}, %{{.*}}) : (i64, i64) -> !llvm.ptr
// CHECK: llvm.call @mlc_code_free(%[[P]]) : (!llvm.ptr) -> ()
// MALLOC: llvm.call @malloc(
// MALLOC: llvm.call @free(
func.func @f(%n: index) {
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return
}
