// RUN: mlc-opt %s --gpu-to-runtime --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s
// A word that makes the run fail is the runtime's, who is given the message.
// CHECK: llvm.mlir.global {{.*}}@[[TEXT:fault_0]]("an index is outside\00")
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[CALL:.*]]: !llvm.ptr)
// CHECK: %[[MESSAGE:.*]] = llvm.mlir.addressof @[[TEXT]] : !llvm.ptr
// CHECK: llvm.getelementptr %{{.*}}[13]
// CHECK: %[[MADE:.*]] = llvm.call %{{.*}}(%[[CALL]], %[[MESSAGE]]) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
// CHECK: %[[WORD:.*]] = builtin.unrealized_conversion_cast %[[MADE]] : !llvm.ptr to memref<1xi32, #gpu.address_space<global>>
// CHECK: "test.use"(%[[WORD]])
func.func @f(%call: !llvm.ptr) {
  %word = gpu.fault_word "an index is outside" : memref<1xi32, #gpu.address_space<global>>
  "test.use"(%word) : (memref<1xi32, #gpu.address_space<global>>) -> ()
  return
}

// -----

func.func @no_record() {
  // expected-error @+1 {{its function has no call record: parallel-to-runtime comes first}}
  %word = gpu.fault_word "an index is outside" : memref<1xi32, #gpu.address_space<global>>
  return
}
