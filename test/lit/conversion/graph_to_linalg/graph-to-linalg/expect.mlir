// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDS
// A number that the model declares is asserted, and known where it is a constant.
// CHECK-LABEL: func.func @asserted
// CHECK: %[[N:.*]] = tensor.extract %arg1[]
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[N]], %c3_i64
// CHECK: cf.assert %[[OK]], "node 'top' (expect): k is not 3, as the model declares"
// CHECK: return %arg0
func.func @asserted(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %0 = graph.expect %x, %n {expected = 3 : i64, what = "k", mlc.node = "top"} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// FOLDS-LABEL: func.func @known
// FOLDS-NEXT: return %arg0
func.func @known(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = graph.constant dense<3> : tensor<1xi32>
  %0 = graph.expect %x, %n {expected = 3 : i64, what = "k"} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// FOLDS-LABEL: func.func @other
// FOLDS: graph.expect
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = graph.constant dense<2> : tensor<1xi32>
  %0 = graph.expect %x, %n {expected = 3 : i64, what = "k"} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// What is no number that the model declares is told as it is.
// CHECK-LABEL: func.func @told
// CHECK: cf.assert %{{.*}}, "expect: k is negative"
func.func @told(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %0 = graph.expect %x, %n {expected = 1 : i64, what = "k is negative", is_whole = true} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
