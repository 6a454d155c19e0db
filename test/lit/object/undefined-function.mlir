// REQUIRES: target
// RUN: not mlc compile %s -o %t.so 2>&1 | FileCheck %s
// RUN: not ls %t.so
// Compiled code calls what it defines and what the runtime offers; all else is named, and nothing is left behind.
// CHECK: error: {{.*}}its code cannot be linked: undefined: 'puts'
module attributes {mlc.arena_bytes = 0 : i64, mlc.inputs = [], mlc.outputs = [], mlc.constants = [], mlc.kernels = []} {
  llvm.func @puts(!llvm.ptr)
  llvm.func @main(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: !llvm.ptr) {
    llvm.call @puts(%a0) : (!llvm.ptr) -> ()
    llvm.return
  }
}
