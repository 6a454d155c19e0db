// RUN: not mlc-translate --export-object --target=x86-64-v2 -o %t.o %s 2>&1 | FileCheck %s
// What LLVM calls a fatal error ends neither the process nor the others: it is told, and nothing is written.
// CHECK: error: {{.*}}LLVM cannot generate code: {{.+}}
llvm.func @f(%p: !llvm.ptr) {
  %r = llvm.mlir.constant(4 : i32) : i32
  %x = llvm.load %p : !llvm.ptr -> vector<16xf32>
  %y = llvm.call_intrinsic "llvm.x86.avx512.sqrt.ps.512"(%x, %r) : (vector<16xf32>, i32) -> vector<16xf32>
  llvm.store %y, %p : vector<16xf32>, !llvm.ptr
  llvm.return
}
