// RUN: not mlc-opt --load-dialect=%S/Inputs/hooks_wrong.yaml %s 2>&1 | FileCheck %s
// Hooks are functions that a program or a plugin has for the dialect, not any of the process.
// CHECK-DAG: hooks_wrong.yaml:1:32: error: 'abort' is no function of this dialect: their names begin with 'mlc_wrong_'
// CHECK-DAG: hooks_wrong.yaml:5:25: error: 'mlc_context_destroy' is no function of this dialect: their names begin with 'mlc_wrong_'
// CHECK-DAG: hooks_wrong.yaml:3:22: error: 'exit' is no function of this dialect: their names begin with 'mlc_wrong_'
// CHECK-DAG: hooks_wrong.yaml:9:18: error: 'mlc_derived_branch' is no function of this dialect: their names begin with 'mlc_wrong_'
// CHECK-DAG: hooks_wrong.yaml:9:46: error: no plugin defines 'mlc_wrong_a_memory_effects', which the dialect names
// CHECK-DAG: hooks_wrong.yaml:10:13: error: 'mlc_wrongly_fold' is no function of this dialect: their names begin with 'mlc_wrong_'
// CHECK-DAG: hooks_wrong.yaml:10:37: error: no plugin defines 'mlc_wrong_a_verify', which the dialect names
