// RUN: mlc-opt %s --expose-kernels | FileCheck %s
// RUN: not mlc-opt %s --expose-kernels=function=other 2>&1 | FileCheck %s --check-prefix=NONE
// What a kernel's first call is given and gives, without constants; a second call adds nothing.
// NONE: has no model function '@other' of one block
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>) -> (tensor<4xf32> {mlc.name = "scale.in0"}, tensor<4xf32> {mlc.name = "scale.out0"},
// CHECK-SAME: tensor<4xf32> {mlc.name = "twice.in0"}, tensor<4xf32> {mlc.name = "twice.out0"})
// CHECK: %[[A:.*]] = call @scale(%[[X]]
// CHECK: %[[B:.*]] = call @scale(%[[A]]
// CHECK: %[[C:.*]] = call @twice(%[[B]], %[[B]])
// CHECK: return %[[X]], %[[A]], %[[B]], %[[C]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %a = call @scale(%x, %two) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = call @scale(%a, %two) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = call @twice(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func private @scale(%x: tensor<4xf32>, %by: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.mulf %x, %by : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.addf %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}
