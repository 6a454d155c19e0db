// RUN: mlc-opt %s --isolate-kernel=kernel=scale | FileCheck %s
// RUN: mlc-opt %s --isolate-kernel=kernel=twice | FileCheck %s --check-prefix=TWICE
// RUN: mlc-opt %s --isolate-kernel=kernel=scale --interpret --input='dense<[1.0, 2.0]> : tensor<2xf32>' | FileCheck %s --check-prefix=VALUE
// RUN: not mlc-opt %s --isolate-kernel=kernel=third 2>&1 | FileCheck %s --check-prefix=NONE
// The first call's constants stay constants, other values are arguments, each once; all else goes.
// CHECK: module @scale
// CHECK: func.func @main(%[[X:.*]]: tensor<2xf32> {mlc.name = "in0"}) -> (tensor<2xf32> {mlc.name = "out0"})
// CHECK: %[[TWO:.*]] = arith.constant dense<2.000000e+00>
// CHECK: %[[A:.*]] = call @scale(%[[X]], %[[TWO]])
// CHECK: return %[[A]]
// CHECK: func.func private @scale
// CHECK-NOT: @twice
// TWICE: func.func @main(%[[X:.*]]: tensor<2xf32> {mlc.name = "in0"})
// TWICE-NOT: constant
// TWICE: call @twice(%[[X]], %[[X]])
// VALUE: dense<[2.000000e+00, 4.000000e+00]>
// NONE: calls no kernel '@third'
module @model {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %two = arith.constant dense<2.0> : tensor<2xf32>
    %a = call @scale(%x, %two) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %b = call @scale(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %c = call @twice(%b, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %c : tensor<2xf32>
  }
  func.func private @scale(%x: tensor<2xf32>, %by: tensor<2xf32>) -> tensor<2xf32> {
    %r = arith.mulf %x, %by : tensor<2xf32>
    return %r : tensor<2xf32>
  }
  func.func private @twice(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
    %r = arith.addf %x, %y : tensor<2xf32>
    return %r : tensor<2xf32>
  }
}
