// RUN: not mlc-translate --export-llvmir --allow-unregistered-dialect %s 2>&1 | FileCheck %s
// Ops that are named like an intrinsic: of a later LLVM, or with other operands than it has.
llvm.func @f(%x: i32) {
  // CHECK: [[@LINE+1]]:3: error: 'llvm.intr.nonsense' op LLVM 19 has no such intrinsic
  "llvm.intr.nonsense"(%x) : (i32) -> ()
  // CHECK: [[@LINE+1]]:8: error: 'llvm.intr.readcyclecounter' op the intrinsic takes 0 arguments, got 1
  %0 = "llvm.intr.readcyclecounter"(%x) : (i32) -> i64
  // CHECK: [[@LINE+1]]:3: error: 'llvm.intr.canonicalize' op has too few operands or results for the intrinsic
  "llvm.intr.canonicalize"(%x) : (i32) -> ()
  llvm.return
}
