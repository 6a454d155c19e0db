// REQUIRES: target
// RUN: not mlc compile %s -o /dev/full 2>&1 | FileCheck %s
// CHECK: error: {{.*}}/dev/full
module attributes {mlc.arena_bytes = 0 : i64, mlc.inputs = [], mlc.outputs = [], mlc.constants = [], mlc.kernels = []} {
  llvm.func @main(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: !llvm.ptr) {
    llvm.return
  }
}
