// RUN: not mlc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error: {{.*}}a size in 'mlc.outputs' is of no dimension of an output
module attributes {mlc.arena_bytes = 0 : i64, mlc.inputs = [], mlc.outputs = [{name = "y", type = tensor<4xf32>}, {name = "y.1", type = tensor<i64>, size_of = array<i64: 0, 1>}], mlc.constants = [], mlc.kernels = []} {
  llvm.func @main(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: !llvm.ptr, %a4: !llvm.ptr, %a5: !llvm.ptr) {
    llvm.return
  }
}
