// RUN: mlc-opt %s --one-shot-bufferize=test-analysis-only | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize='test-analysis-only analysis-heuristic=top-down' | FileCheck %s --check-prefix=TOP
// RUN: mlc-opt %s --one-shot-bufferize='test-analysis-only analysis-heuristic=bottom-up-from-terminators' | FileCheck %s --check-prefix=ENDS
// RUN: mlc-opt %s --one-shot-bufferize='test-analysis-only analysis-heuristic=fuzzer analysis-fuzzer-seed=7' | FileCheck %s --check-prefix=ANY
// Of two writes to one tensor one is in place: the one that is decided first. Nothing is changed.
// CHECK-LABEL: func.func @two
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "false"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// TOP: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// TOP: linalg.fill {__inplace_operands_attr__ = ["none", "false"]}
// ENDS: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// ENDS: linalg.fill {__inplace_operands_attr__ = ["none", "false"]}
// ANY: linalg.fill {__inplace_operands_attr__ = ["none", "[[FIRST:true|false]]"]}
func.func @two(%a: f32, %b: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<5xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> (tensor<5xf32>) {
    %2 = linalg.fill ins(%a : f32) outs(%t : tensor<5xf32>) -> tensor<5xf32>
    %3 = linalg.fill ins(%b : f32) outs(%t : tensor<5xf32>) -> tensor<5xf32>
    %4 = tensor.extract %3[%c0] : tensor<5xf32>
    vector.print %4 : f32
    scf.yield %2 : tensor<5xf32>
  }
  %5 = tensor.extract %1[%c0] : tensor<5xf32>
  return %5 : f32
}
