// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// A reduction over the spatial dimensions, which come back as ones.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.generic {{.*}}["parallel", "reduction", "reduction", "parallel"]
// CHECK: tensor.expand_shape
func.func @f(%x: tensor<1x4x4x3xf32>) -> tensor<1x1x1x3xf32> {
  %y = graph.global_average_pool %x {layout = #graph.layout<nhwc>} : (tensor<1x4x4x3xf32>) -> tensor<1x1x1x3xf32>
  return %y : tensor<1x1x1x3xf32>
}
