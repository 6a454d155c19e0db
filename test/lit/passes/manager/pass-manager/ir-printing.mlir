// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize),inline)' --mlir-print-ir-before=cse --mlir-print-ir-after=inline -o %t 2>&1 | FileCheck %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize))' --mlir-print-ir-after-change -o %t 2>&1 | FileCheck --check-prefix=CHANGE %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after-all --mlir-print-ir-module-scope --mlir-disable-threading -o %t 2>&1 | FileCheck --check-prefix=SCOPE %s
// RUN: rm -rf %t.tree
// RUN: mlc-opt %s --pass-pipeline='builtin.module(symbol-dce,func.func(cse,canonicalize))' --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t.tree -o %t
// RUN: find %t.tree -type f | sort | FileCheck --check-prefix=TREE %s

// CHECK: // -----// IR Dump Before CSE (cse) //----- //
// CHECK-NEXT: func.func @same
// CHECK: // -----// IR Dump Before CSE (cse) //----- //
// CHECK: // -----// IR Dump After Inliner (inline) //----- //
// CHECK-NEXT: module @pair {
// CHANGE: IR Dump After CSE (cse)
// CHANGE-NEXT: func.func @same
// CHANGE-NOT: IR Dump
// SCOPE: // -----// IR Dump After CSE (cse) ('func.func' operation: @same) //----- //
// SCOPE-NEXT: module @pair {
// TREE: builtin_module_pair/0_symbol-dce.mlir
// TREE-NEXT: builtin_module_pair/func_func_none/0_0_cse.mlir
// TREE-NEXT: builtin_module_pair/func_func_none/0_1_canonicalize.mlir
// TREE-NEXT: builtin_module_pair/func_func_same/0_0_cse.mlir
// TREE-NEXT: builtin_module_pair/func_func_same/0_1_canonicalize.mlir

module @pair {
  func.func @same(%a: i32) -> (i32, i32) {
    %0 = arith.addi %a, %a : i32
    %1 = arith.addi %a, %a : i32
    return %0, %1 : i32, i32
  }
  func.func @none() {
    return
  }
}
