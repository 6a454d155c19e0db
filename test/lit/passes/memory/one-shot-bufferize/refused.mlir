// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file --verify-diagnostics
// RUN: not mlc-opt %s --one-shot-bufferize=function-boundary-type-conversion=none 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not mlc-opt %s --one-shot-bufferize=analysis-heuristic=guess 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mlc-opt %s --one-shot-bufferize='analysis-heuristic=fuzzer' 2>&1 | FileCheck %s --check-prefix=FUZZER
// RUN: not mlc-opt %S/functions.mlir --one-shot-bufferize 2>&1 | FileCheck %s --check-prefix=CALL
// LAYOUT: 'function-boundary-type-conversion' has no 'none'
// ORDER: 'analysis-heuristic' has no 'guess'
// FUZZER: 'analysis-heuristic=fuzzer' is for 'test-analysis-only'
// CALL: 'func.call' op passes tensors, which takes 'bufferize-function-boundaries'
// expected-error@+2 {{cannot bufferize bodiless function that returns a tensor}}
// expected-error@+1 {{failed to bufferize op}}
func.func private @elsewhere() -> tensor<2xf32>
// -----
// expected-error@+1 {{cannot bufferize a FuncOp with tensors and without a unique ReturnOp}}
func.func @two_returns(%c: i1, %t: tensor<2xf32>) -> tensor<2xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %t : tensor<2xf32>
^b:
  return %t : tensor<2xf32>
}
// -----
func.func @a(%t: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @b(%t) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// expected-error@+1 {{expected callgraph to be free of circular dependencies}}
func.func @b(%t: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @a(%t) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @shared(%m: memref<2xf32>, %i: index) -> f32 {
  // expected-error@+1 {{to_tensor ops without `restrict` are not supported by One-Shot Analysis}}
  %0 = bufferization.to_tensor %m : memref<2xf32>
  %1 = tensor.extract %0[%i] : tensor<2xf32>
  return %1 : f32
}
// -----
func.func @by_value(%f: (tensor<2xf32>) -> (), %t: tensor<2xf32>) {
  // expected-error@+1 {{passes tensors to what is not known}}
  call_indirect %f(%t) : (tensor<2xf32>) -> ()
  return
}
