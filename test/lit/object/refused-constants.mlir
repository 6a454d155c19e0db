// RUN: not mlc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error: {{.*}}entry 1 of 'mlc.constants' has no data
module attributes {mlc.arena_bytes = 0 : i64, mlc.inputs = [], mlc.outputs = [], mlc.constants = [dense<1.0> : tensor<4xf32>, dense_resource<missing> : tensor<4xf32>], mlc.kernels = []} {
  llvm.func @main(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: !llvm.ptr) {
    llvm.return
  }
}
