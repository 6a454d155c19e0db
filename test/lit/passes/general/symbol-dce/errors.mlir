// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(symbol-dce))' --split-input-file \
// RUN:   --verify-diagnostics --allow-unregistered-dialect
// RUN: not mlc-opt %s --symbol-dce --allow-unregistered-dialect --split-input-file 2>&1 | FileCheck %s

// expected-error @below {{was scheduled to run under SymbolDCE, but does not define a symbol table}}
func.func @no_table() {
  return
}

// -----

// No function here: the pipeline of the first line passes it by.

// CHECK: error: operation contains potentially unknown symbol table, meaning that we can't reliable compute symbol uses
module attributes {test.unknown} {
  "test.table"() ({
  ^bb0:
  }) : () -> ()
}
