// RUN: mlc-opt %s --view-op-graph=format=svg 2>&1 >/dev/null | FileCheck %s
// RUN: mlc-opt %s --view-op-graph='format=svg print-data-flow-edges=false print-control-flow-edges' 2>&1 >/dev/null | FileCheck %s --check-prefix=CONTROL
// RUN: not mlc-opt %s --view-op-graph=format=png 2>&1 | FileCheck %s --check-prefix=BAD
// A box per op, block and argument; users stand below what they use, and what does not is in one row.
// CHECK: <svg xmlns="http://www.w3.org/2000/svg"
// CHECK: >builtin.module</text>
// CHECK: >func.func</text>
// CHECK: >arg0</text>
// CHECK: >arg1</text>
// CHECK: <rect x="{{[0-9]+}}" y="[[ROW:[0-9]+]]"
// CHECK-NEXT: >arith.constant : f32</text>
// CHECK-NEXT: <rect x="{{[0-9]+}}" y="[[ROW]]"
// CHECK-NEXT: >math.absf : f32</text>
// CHECK: >scf.if : f32</text>
// CHECK: <g fill="none"
// CHECK-COUNT-7: <path d="M
// CHECK-NOT: <path
// CHECK: </svg>
// CONTROL-COUNT-4: <path {{.*}}stroke-dasharray="5 4"
// CONTROL-NOT: <path
// BAD: error: {{.*}}cannot be drawn as 'png', but as 'dot' or 'svg'
func.func @f(%c: i1, %x: f32) -> f32 {
  %0 = arith.constant 1.0 : f32
  %1 = math.absf %x : f32
  %2 = scf.if %c -> f32 {
    scf.yield %0 : f32
  } else {
    scf.yield %1 : f32
  }
  %3 = arith.addf %2, %0 : f32
  return %3 : f32
}
