// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// Each input goes to its place.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.insert_slice {{.*}}[0, 0] [2, 3] [1, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 3] [2, 1] [1, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 4] [2, 3] [1, 1]
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) -> tensor<2x7xf32> {
  %y = graph.concat %a, %b, %a {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
  return %y : tensor<2x7xf32>
}
