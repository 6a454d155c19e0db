// RUN: mlc-opt --load=%S/Inputs/pack/pack.yaml %s --lower=by=pack_to_arith | FileCheck %s
// RUN: mlc-opt --load=%S/Inputs/pack/base.yaml --load %S/Inputs/pack/pack.yaml %s --lower=by=pack_to_arith | FileCheck %s
// RUN: mkdir -p %t && cd %t && cp %S/Inputs/pack/base.yaml . && sed 's,plugins,%plugins,' %S/Inputs/pack/with_plugin.yaml > p.yaml
// RUN: mlc-opt --load=p.yaml %s --op-budget=max=100 | FileCheck %s --check-prefix=SAME
// RUN: not mlc-opt --load=p.yaml %s --op-budget=max=2 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not mlc-opt --load-dialect=p.yaml %s --op-budget 2>&1 | FileCheck %s --check-prefix=NO-PLUGIN
// A package brings rules, plugin and further dialects; what is there already is not loaded again.

// CHECK-LABEL: func.func @f
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.addi
// SAME: pack.twice
// MORE: package.mlir:[[@LINE+2]]:1: error: 3 ops, more than 2
// NO-PLUGIN: unknown option '--op-budget'
func.func @f(%x: i32) -> i32 {
  %0 = pack.twice %x : i32
  %1 = base.sum %0, %x : i32
  return %1 : i32
}
