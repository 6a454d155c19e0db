// RUN: mlc-opt %s --view-op-graph -o /dev/null 2>&1 | FileCheck %s
// RUN: mlc-opt %s '--view-op-graph=print-data-flow-edges=false print-control-flow-edges=true print-attrs=false' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONTROL

// CHECK: digraph G {
// CHECK: label = "builtin.module : ()\n";
// CHECK: label = "func.func : ()\n\nfunction_type: (i32) -> i32\nsym_name: \"f\"";
// CHECK: [[ARG:v[0-9]+]] [label = "arg0", shape = ellipse];
// CHECK: [[ADD:v[0-9]+]] [fillcolor = "0.000000 1.0 1.0", label = "arith.addi : (i32)\n\noverflowFlags: #arith.overflow<none...", shape = ellipse, style = filled];
// CHECK: [[RETURN:v[0-9]+]] [{{.*}}label = "func.return : ()\n"
// CHECK: [[ARG]] -> [[ADD]] [label = "0", style = solid];
// CHECK: [[ARG]] -> [[ADD]] [label = "1", style = solid];
// CHECK: [[ADD]] -> [[RETURN]] [label = "", style = solid];

// CONTROL: [[ADD:v[0-9]+]] [{{.*}}label = "arith.addi : (i32)",
// CONTROL: [[RETURN:v[0-9]+]] [{{.*}}label = "func.return : ()",
// CONTROL-NOT: style = solid
// CONTROL: [[ADD]] -> [[RETURN]] [label = "", style = dashed];
func.func @f(%x: i32) -> i32 {
  %sum = arith.addi %x, %x : i32
  return %sum : i32
}
