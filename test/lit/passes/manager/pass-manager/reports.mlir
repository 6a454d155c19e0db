// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize))' --mlir-timing -o %t 2>&1 | FileCheck %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize))' --mlir-timing --mlir-timing-display=list --mlir-disable-threading -o %t 2>&1 | FileCheck --check-prefix=LIST %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-pass-statistics -o %t 2>&1 | FileCheck --check-prefix=COUNT %s
// RUN: not mlc-opt %s --mlir-timing-display=graph 2>&1 | FileCheck --check-prefix=BAD %s

// CHECK: ... Execution time report ...
// CHECK: Total Execution Time:
// CHECK: ----User Time----  ----Wall Time----  ----Name----
// CHECK-NEXT: Parser
// CHECK-NEXT: 'func.func' Pipeline
// CHECK-NEXT: CSE
// CHECK: Canonicalizer
// CHECK-NEXT: Output
// CHECK-NEXT: Rest
// CHECK-NEXT: (100.0%) Total
// LIST-NOT: User Time
// LIST-DAG: (A) DominanceInfo
// LIST-DAG: CSE
// LIST: Total
// COUNT: Pass statistics report
// COUNT: 'func.func' Pipeline
// COUNT-NEXT: CSE
// COUNT-NEXT: (S) {{ *}}1 {{.*}}
// BAD: option '--mlir-timing-display' expects list or tree, got 'graph'

func.func @same(%a: i1, %b: i32) -> (i32, i32) {
  %0 = arith.addi %b, %b : i32
  cf.cond_br %a, ^left, ^right
^left:
  %1 = arith.addi %b, %b : i32
  return %0, %1 : i32, i32
^right:
  return %b, %b : i32, i32
}
