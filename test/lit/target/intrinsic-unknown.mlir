// RUN: not mlc-translate --export-llvmir --allow-unregistered-dialect %s 2>&1 | FileCheck %s
// An op of a later LLVM is named like an intrinsic that this one does not have.
llvm.func @f(%x: i32) {
  // CHECK: [[@LINE+1]]:3: error: 'llvm.intr.nonsense' op LLVM 19 has no such intrinsic
  "llvm.intr.nonsense"(%x) : (i32) -> ()
  llvm.return
}
