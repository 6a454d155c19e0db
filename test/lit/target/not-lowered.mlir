// RUN: not mlc-translate %s --export-llvmir 2>&1 | FileCheck %s
// Ops that have no machine code are all named, each at its place; nothing is written.
llvm.func @f(%i: i64) -> i64 {
  // CHECK: not-lowered.mlir:[[@LINE+1]]:{{.*}}: error: cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: arith.addi
  %a = arith.addi %i, %i : i64
  %b = llvm.add %a, %i : i64
  // CHECK: not-lowered.mlir:[[@LINE+1]]:{{.*}}: error: cannot be converted to LLVM IR: {{.*}} for op: arith.muli
  %c = arith.muli %i, %i : i64
  llvm.return %b : i64
}
// CHECK-NOT: define
