// RUN: not mlc-opt %s --convert-to-llvm --mlir-pass-pipeline-crash-reproducer=/dev/null/here 2>&1 | FileCheck %s
// CHECK: error: failed to legalize
// CHECK: note: Pipeline failed while executing {{.*}}: no reproducer: '/dev/null/here': Not a directory
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
