// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-products | FileCheck %s
// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-products --graph-split-products | FileCheck %s
// Panels of 3000 rows are too long for the cache, and 128 rows of 3000 do not fit beside them: three parts
// that begin at cache lines.
// CHECK-LABEL: func.func @long
// CHECK-SAME: (%[[X:.*]]: tensor<128x3000xf32>, %[[C:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[X0:.*]] = graph.slice %[[X]] {axes = array<i64: 1>, ends = array<i64: 1008>, starts = array<i64: 0>}
// CHECK-DAG: %[[W0:.*]] = graph.constant dense<5.000000e-01> : tensor<1008x8xf32>
// CHECK: %[[Y0:.*]] = graph.gemm %[[X0]], %[[W0]], %[[C]]
// CHECK: %[[Y1:.*]] = graph.matmul %{{.*}} -> tensor<128x8xf32>
// CHECK: %[[S1:.*]] = graph.add %[[Y0]], %[[Y1]]
// CHECK-DAG: graph.slice %[[X]] {axes = array<i64: 1>, ends = array<i64: 3000>, starts = array<i64: 2016>} : (tensor<128x3000xf32>) -> tensor<128x984xf32>
// CHECK: %[[Y2:.*]] = graph.matmul
// CHECK: %[[S2:.*]] = graph.add %[[S1]], %[[Y2]]
// CHECK-NEXT: return %[[S2]]
func.func @long(%x: tensor<128x3000xf32>, %c: tensor<8xf32>) -> tensor<128x8xf32> {
  %w = graph.constant dense<0.5> : tensor<3000x8xf32>
  %0 = graph.gemm %x, %w, %c : (tensor<128x3000xf32>, tensor<3000x8xf32>, tensor<8xf32>) -> tensor<128x8xf32>
  return %0 : tensor<128x8xf32>
}
// One row reads each panel once, whatever its length; a short one fits; what is no constant is not packed.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: graph.slice
// CHECK-COUNT-3: graph.matmul
// CHECK-NOT: graph.add
func.func @whole(%x: tensor<1x3072xf32>, %y: tensor<128x768xf32>, %z: tensor<128x3072xf32>, %w: tensor<3072x8xf32>)
    -> (tensor<1x8xf32>, tensor<128x8xf32>, tensor<128x8xf32>) {
  %long = graph.constant dense<0.5> : tensor<3072x8xf32>
  %short = graph.constant dense<0.5> : tensor<768x8xf32>
  %0 = graph.matmul %x, %long : (tensor<1x3072xf32>, tensor<3072x8xf32>) -> tensor<1x8xf32>
  %1 = graph.matmul %y, %short : (tensor<128x768xf32>, tensor<768x8xf32>) -> tensor<128x8xf32>
  %2 = graph.matmul %z, %w : (tensor<128x3072xf32>, tensor<3072x8xf32>) -> tensor<128x8xf32>
  return %0, %1, %2 : tensor<1x8xf32>, tensor<128x8xf32>, tensor<128x8xf32>
}
