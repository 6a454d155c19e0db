// RUN: mlc-opt %s --graph-simplify --threads=1 --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// Windows without padding to take in, or of unknown sizes; the log of actions says why.
// CHECK-LABEL: func.func @known
// CHECK-NEXT: graph.conv %arg0, %arg1
// CHECK-NEXT: graph.average_pool %arg0
// LOG-DAG: `pad-into-conv` on 'graph.conv': its input is not padded with zeros
// LOG-DAG: `drop-taps-in-padding` on 'graph.conv': each tap reads the input
// LOG-DAG: `average-pool-to-uniform` on 'graph.average_pool': its windows all cover as many elements
func.func @known(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x3x3xf32>) {
  %0 = graph.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  %1 = graph.average_pool %x {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32>
  return %0, %1 : tensor<1x1x2x2xf32>, tensor<1x1x3x3xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT: graph.conv %arg0, %arg1
// CHECK-NEXT: graph.average_pool %arg0
// CHECK-NEXT: graph.average_pool %arg2
// LOG-DAG: `drop-taps-in-padding` on 'graph.conv': its window or sizes are not known
// LOG-DAG: `average-pool-to-uniform` on 'graph.average_pool': a size is unknown
// LOG-DAG: `average-pool-to-uniform` on 'graph.average_pool': a size is unknown
func.func @unknown(%x: tensor<1x1x?x4xf32>, %w: tensor<1x1x3x3xf32>, %y: tensor<*xf32>) -> (tensor<1x1x?x2xf32>, tensor<1x1x?x3xf32>, tensor<*xf32>) {
  %0 = graph.conv %x, %w : (tensor<1x1x?x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x?x2xf32>
  %1 = graph.average_pool %x {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x?x4xf32>) -> tensor<1x1x?x3xf32>
  %2 = graph.average_pool %y {kernel_shape = array<i64: 2, 2>} : (tensor<*xf32>) -> tensor<*xf32>
  return %0, %1, %2 : tensor<1x1x?x2xf32>, tensor<1x1x?x3xf32>, tensor<*xf32>
}
// CHECK-LABEL: func.func @many
// CHECK-NEXT: graph.average_pool %arg0
// LOG-DAG: `average-pool-to-uniform` on 'graph.average_pool': there are too many windows
func.func @many(%x: tensor<1x1x100000x100000xf32>) -> tensor<1x1x100000x100000xf32> {
  %0 = graph.average_pool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x100000x100000xf32>) -> tensor<1x1x100000x100000xf32>
  return %0 : tensor<1x1x100000x100000xf32>
}
