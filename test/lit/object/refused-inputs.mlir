// RUN: not mlc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error: {{.*}}entry 0 of 'mlc.inputs' needs a name and a ranked type of elements that the runtime has
module attributes {mlc.arena_bytes = 0 : i64, mlc.inputs = [{name = "x", type = tensor<*xf32>}], mlc.outputs = [], mlc.constants = [], mlc.kernels = []} {
  llvm.func @main(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: !llvm.ptr, %a4: !llvm.ptr) {
    llvm.return
  }
}
