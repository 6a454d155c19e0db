// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// The bias is where the product starts; a transposed matrix is read as it lies.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf32>)
// CHECK: linalg.matmul_transpose_b ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%[[C]]
func.func @f(%a: tensor<2x5xf32>, %b: tensor<4x5xf32>, %c: tensor<4xf32>) -> tensor<2x4xf32> {
  %y = graph.gemm %a, %b, %c {trans_b = true} : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
