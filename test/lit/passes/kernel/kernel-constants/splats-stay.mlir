// RUN: mlc-opt %s --kernel-constants | FileCheck %s
// Elements become an argument, which the caller has a window for. A splat stays: filling it in is the kernel's work, and
// in an initialiser it is done once, not in each run of the model.
// CHECK-LABEL: func.func @main
// CHECK: %[[C:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK: call @main_init(%[[C]]) {mlc.run_once} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-LABEL: func.func private @main_init(%arg0: tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[S:.*]] = arith.constant dense<3.000000e+00>
// CHECK: arith.addf %arg0, %[[S]]
func.func @main() -> tensor<2xf32> {
  %r = call @main_init() {mlc.run_once} : () -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @main_init() -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant dense<3.0> : tensor<2xf32>
  %r = arith.addf %c, %s : tensor<2xf32>
  return %r : tensor<2xf32>
}
