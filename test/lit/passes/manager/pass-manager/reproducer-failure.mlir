// RUN: rm -f %t.mlir
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(func.func(cse),convert-to-llvm)' --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=WHOLE %s < %t.mlir
// RUN: not mlc-opt %s --pass-pipeline='builtin.module(func.func(cse),convert-to-llvm)' --mlir-pass-pipeline-crash-reproducer=%t.mlir --mlir-pass-pipeline-local-reproducer -o %t.out 2> /dev/null
// RUN: FileCheck --check-prefix=LOCAL %s < %t.mlir
// RUN: not mlc-opt %t.mlir --run-reproducer 2>&1 | FileCheck --check-prefix=AGAIN %s

// CHECK: error: Failures have been detected while processing an MLIR pass pipeline
// CHECK: note: Pipeline failed while executing [`ConvertToLlvm` on 'builtin.module' operation]: reproducer generated at `
// WHOLE: pipeline: "builtin.module(func.func(cse),convert-to-llvm
// LOCAL-NOT: cse
// LOCAL: pipeline: "builtin.module(convert-to-llvm
// AGAIN: failed to legalize

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
