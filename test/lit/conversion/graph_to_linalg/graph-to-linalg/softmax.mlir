// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input zeros > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input zeros > %t.after
// RUN: diff %t.before %t.after
// The largest element is taken off first, so that nothing overflows.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: arith.addf
// One division a row.
// CHECK: ins(%{{.*}} : tensor<2xf32>)
// CHECK: arith.divf
// CHECK: arith.mulf
func.func @f(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = graph.softmax %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
