// RUN: mlc-opt --load-plugin=%plugins/op_budget.so %s --op-budget=max=3 | FileCheck %s
// RUN: mlc-opt -load-plugin %plugins/op_budget.so --load-plugin=%plugins/op_budget.so %s --pass-pipeline='builtin.module(func.func(op-budget))' | FileCheck %s
// RUN: not mlc-opt --load-plugin=%plugins/op_budget.so %s --op-budget=max=2 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: mlc-opt --load-plugin=%plugins/op_budget.so --help | FileCheck %s --check-prefix=HELP
// RUN: not mlc-opt %s --op-budget 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mlc-opt --load-plugin=%t/none.so %s 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not mlc-opt %s --load-plugin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlc-opt --load-plugin=%s %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not mlc-opt --load-plugin=%plugins/refused_record.so %s 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: not mlc-opt --load-plugin=%plugins/refused_api.so %s 2>&1 | FileCheck %s --check-prefix=API
// RUN: not mlc-opt --load-plugin=%plugins/refused_pass.so %s 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not mlc-opt --load-plugin=%plugins/refused_load.so --load-plugin=%plugins/refused_hook.so %s 2>&1 | FileCheck %s --check-prefix=HOOK
// RUN: not mlc-opt --load-plugin=%plugins/refused_load.so %s 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not mlc-opt --load-plugin=%plugins/refused_pipeline.so %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: mlc-opt --load-plugin=%plugins/pipelines.so %s --tidy-all --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: mlc-opt --load-plugin=%plugins/pipelines.so --help | FileCheck %s --check-prefix=NAMED
// RUN: not mlc-opt --load-plugin=%plugins/pipelines.so %s --for-ever 2>&1 | FileCheck %s --check-prefix=EVER

// PIPELINE: mlc-opt: {{.*}}refused_pipeline.so: there is a pipeline 'cleanup' already
// ALL: builtin.module(func.func(canonicalize{{.*}},cse),symbol-dce)
// NAMED: --tidy-all{{.*}}Functions, then symbols
// EVER: error: pipeline 'for-ever' contains itself
// CHECK-LABEL: func.func @three
// MORE: plugin.mlir:[[@LINE+11]]:1: error: 3 ops, more than 2
// HELP: --op-budget{{.*}}Refuse functions of more than so many ops
// UNKNOWN: mlc-opt: unknown option '--op-budget'
// FILE: mlc-opt: {{.*}}none.so: cannot open shared object file
// NONE: mlc-opt: option '--load-plugin' expects
// TEXT: mlc-opt: {{.*}}plugin.mlir: {{file too short|invalid ELF header}}
// RECORD: mlc-opt: {{.*}}refused_record.so: it is no plugin: it has no 'mlc_plugin'
// API: mlc-opt: {{.*}}refused_api.so: it was compiled for plugin API 2, this is 1
// PASS: mlc-opt: {{.*}}refused_pass.so: there is a pass 'cse' already
// HOOK: mlc-opt: {{.*}}refused_hook.so: another plugin has a hook of the same name
// LOAD: error: the plugin does not like this context
func.func @three(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.muli %0, %x : i32
  return %1 : i32
}
