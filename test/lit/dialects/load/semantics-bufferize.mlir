// REQUIRES: target
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --bufferize | FileCheck %s --implicit-check-not=memref.copy
// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --interpret --entry main | FileCheck %s --check-prefix=RUNS
// RUN: mlc run -e main --load-dialect=%S/Inputs/flow.yaml %s | FileCheck %s --check-prefix=RUNS
// A tensor that goes round has one buffer, and branches write into one.
// RUNS: dense<[1.{{0*}}e+03, 6.{{0*}}e+00]> : tensor<2xf32>
// CHECK-LABEL: func.func @main
// CHECK: flow.repeat %{{.*}} of index {
// CHECK: linalg.add ins(%arg0, %{{.*}}) outs(%arg0
// CHECK-NEXT: flow.give
// CHECK: flow.if %{{.*}} of i1 {
// CHECK: memref.store %{{.*}}, %arg0
// CHECK: } else {
func.func @main() -> tensor<2xf32> {
  %n = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %big = arith.constant 1.0e3 : f32
  %at = arith.constant 0 : index
  %true = arith.constant true
  %e = tensor.empty() : tensor<2xf32>
  %x = linalg.fill ins(%one : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %ones = arith.constant dense<1.0> : tensor<2xf32>
  %r = flow.repeat %n with %x : tensor<2xf32> -> tensor<2xf32> of index {
  ^bb0(%v: tensor<2xf32>):
    %w = linalg.add ins(%v, %ones : tensor<2xf32>, tensor<2xf32>) outs(%v : tensor<2xf32>) -> tensor<2xf32>
    flow.give %w : tensor<2xf32>
  }
  %s = flow.if %true of i1 {
    %t = tensor.insert %big into %r[%at] : tensor<2xf32>
    flow.give %t : tensor<2xf32>
  } else {
    flow.give %r : tensor<2xf32>
  }
  return %s : tensor<2xf32>
}
