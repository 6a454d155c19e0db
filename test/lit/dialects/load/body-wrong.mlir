// RUN: not mlc-opt %s --load-dialect=%S/Inputs/bodies.yaml --interpret --entry f 2>&1 | FileCheck %s
// RUN: not mlc-opt %s --load-dialect=%S/Inputs/bodies.yaml --graph-to-linalg 2>&1 | FileCheck %s
// A body that is not for the types of its op is told at the op.
// CHECK: body-wrong.mlir:[[@LINE+4]]:8: error: in body "unsigned_div(x, x)", at column 19: unsigned_div() is not for {{f32|vector<3xf32>}}
// CHECK-NOT: error
func.func @f() -> tensor<3xf32> {
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = bodies.broken %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
