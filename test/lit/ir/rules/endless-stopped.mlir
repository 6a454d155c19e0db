// RUN: mlc-opt --load-rules=%S/Inputs/guarded.rules --canonicalize %s 2>&1 | FileCheck %s
// Where guards hide it, the driver stops, names who was still rewriting, and leaves valid IR.
// CHECK-DAG: warning: rewriting did not come to an end; it was stopped at 'there', 'and_back'
// CHECK-DAG: arith.{{subi|divsi}} %arg{{.}}, %arg{{.}} : i8
func.func @f(%x: i8, %y: i8) -> i8 {
  %a = arith.subi %x, %y : i8
  return %a : i8
}
