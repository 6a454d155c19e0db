// RUN: not mlc-opt --load-plugin=%plugins/op_budget.so %s --op-budget=max=0 --mlir-pass-pipeline-crash-reproducer=%t.mlir
// RUN: not mlc-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=NOT-LOADED
// RUN: not mlc-opt %t.mlir --run-reproducer --load-plugin=%plugins/op_budget.so 2>&1 | FileCheck %s --check-prefix=LOADED
// A reproducer names plugins; it loads none.

// NOT-LOADED: [[FILE:.*]].mlir:{{[0-9]+:[0-9]+}}: warning: written with the plugin '{{/.*}}/op_budget.so', which only --load-plugin loads
// NOT-LOADED: error: {{.*}}op-budget
// LOADED-NOT: warning
// LOADED: error: 1 ops, more than 0
func.func @f() {
  return
}
