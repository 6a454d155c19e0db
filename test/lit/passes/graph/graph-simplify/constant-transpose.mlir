// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input random:1 --input random:2 > %t.before
// RUN: mlc-opt %s --graph-simplify --interpret --entry f --input random:1 --input random:2 > %t.after
// RUN: diff %t.before %t.after
// A constant that is multiplied transposed is stored transposed; what else uses it keeps it as it is.
// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[W:.*]] = graph.constant dense<{{.*}}> : tensor<3x2xf32>
// CHECK-DAG: %[[T:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// CHECK: graph.matmul %{{.*}}, %[[T]]
// CHECK: graph.add %{{.*}}, %[[W]]
func.func @f(%x: tensor<2x2x2xf32>, %y: tensor<3x2xf32>) -> (tensor<2x2x3xf32>, tensor<3x2xf32>) {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %t = graph.transpose %w {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %0 = graph.matmul %x, %t : (tensor<2x2x2xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %1 = graph.add %y, %w : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<2x2x3xf32>, tensor<3x2xf32>
}
