// RUN: mlc-opt %s --graph-interpret 2>&1 | FileCheck %s
// An op that must know a size goes to the interpreter, as text, and the kernel will say why.
// CHECK: warning: 1 op is interpreted, which is slow (--require-compiled refuses that): '' (graph.non_max_suppression): size 'n' of {{.*}} must be known when compiling
// CHECK-LABEL: func.func @main
// CHECK: graph.operator %arg0, %arg1, %arg2, %arg3, %arg4 {attributes = {module = "module {\0A  func.func @part(%arg0: {{.*}}) -> tensor<6x3xi64> {\0A    %0 = graph.non_max_suppression %arg0
// CHECK-SAME: domain = "graph", function = "mlc_interpret_operator", library = "libmlc.so.0", mlc.notes = ["interpreted: size 'n' of {{.*}}"], name = "non_max_suppression"
func.func @main(%b: tensor<1x?x4xf32, #graph.dims<["", "n", ""]>>, %s: tensor<1x2x?xf32, #graph.dims<["", "", "n"]>>, %c: tensor<1xi64>, %o: tensor<1xf32>, %t: tensor<1xf32>) -> tensor<6x3xi64> {
  %y = graph.non_max_suppression %b, %s, %c, %o, %t {most = 3 : i64} : (tensor<1x?x4xf32, #graph.dims<["", "n", ""]>>, tensor<1x2x?xf32, #graph.dims<["", "", "n"]>>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x3xi64>
  return %y : tensor<6x3xi64>
}
