// RUN: mlc-opt %s --graph-interpret 2>&1 | FileCheck %s
// A module that asks for compiled code is left alone, to be refused.
// CHECK-NOT: warning
// CHECK: graph.non_max_suppression
module attributes {mlc.require_compiled} {
  func.func @main(%b: tensor<1x?x4xf32, #graph.dims<["", "n", ""]>>, %s: tensor<1x2x?xf32, #graph.dims<["", "", "n"]>>, %c: tensor<1xi64>, %o: tensor<1xf32>, %t: tensor<1xf32>) -> tensor<6x3xi64> {
    %y = graph.non_max_suppression %b, %s, %c, %o, %t {most = 3 : i64} : (tensor<1x?x4xf32, #graph.dims<["", "n", ""]>>, tensor<1x2x?xf32, #graph.dims<["", "", "n"]>>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x3xi64>
    return %y : tensor<6x3xi64>
  }
}
