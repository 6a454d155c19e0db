// RUN: mlc-opt %s --convert-elementwise-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --convert-elementwise-to-linalg --interpret --entry run | FileCheck %s --check-prefix=EVAL
// The first operand of the result's type is the output; a comparison gets an empty one, as large as the first operand.
// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[A:.*]]: tensor<?x2xf32>, %[[B:.*]]: tensor<?x2xf32>
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"parallel", "parallel"]} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[A]]
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<nnan> : f32
// CHECK: %[[DIM:.*]] = tensor.dim %[[SUM]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?x2xi1>
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %[[B]] : {{.*}}) outs(%[[EMPTY]]
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %{{.*}} : f32
func.func @f(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = arith.addf %a, %b fastmath<nnan> : tensor<?x2xf32>
  %1 = arith.cmpf olt, %0, %b : tensor<?x2xf32>
  %2 = arith.select %1, %0, %b : tensor<?x2xi1>, tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}
// A condition that is no tensor keeps the op as it is.
// CHECK-LABEL: func.func @left
// CHECK-NEXT: arith.select %arg0, %arg1, %arg1 : tensor<2xf32>
func.func @left(%c: i1, %a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.select %c, %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// EVAL{LITERAL}: [[-1.000000e+00, 4.000000e+00]]
func.func @run() -> tensor<?x2xf32> {
  %a = arith.constant dense<[[-3.0, 3.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<[[2.0, 4.0]]> : tensor<1x2xf32>
  %x = tensor.cast %a : tensor<1x2xf32> to tensor<?x2xf32>
  %y = tensor.cast %b : tensor<1x2xf32> to tensor<?x2xf32>
  %0 = func.call @f(%x, %y) : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
