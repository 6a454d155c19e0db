// RUN: mlc-opt %s --fuse | FileCheck %s
// linalg.map, whose body has no argument for what is written, becomes one with its reader.
// CHECK-LABEL: func.func @f
// CHECK: linalg.generic
// CHECK: %[[E:.*]] = math.exp
// CHECK: arith.negf %[[E]]
// CHECK-NOT: linalg.map
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
    (%a: f32) {
      %1 = math.exp %a : f32
      linalg.yield %1 : f32
    }
  %2 = linalg.map ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>)
    (%a: f32) {
      %3 = arith.negf %a : f32
      linalg.yield %3 : f32
    }
  return %2 : tensor<4xf32>
}
