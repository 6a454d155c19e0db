// RUN: mlc-opt %s --linalg-strassen=always --canonicalize --target=x86-64-v4 2>/dev/null | FileCheck %s
// The panels are made at the start: seven of each pair, 16 rows at a time. The 11 columns behind the last pair are halves of 6
// that share one.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%[[X:.*]]: tensor<128x256xf32>, %[[W:.*]]: tensor<256x267xf32>, %{{.*}}: tensor<128x267xf32>)
// CHECK-SAME: "sums of its right side take 0.5 MiB when it runs, for 256 steps"
// CHECK: %[[PANELS:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c128{{.*}} step %c16{{.*}} -> (tensor<2x7x128x64xf32>)
// CHECK: scf.for %[[PAIR:.*]] = %c0{{.*}} to %c2{{.*}} step %c1{{.*}} iter_args(%[[P:.*]] = %{{.*}})
// CHECK: %[[COL:.*]] = affine.apply #{{.*}}(%[[PAIR]])
// CHECK: %[[B11:.*]] = tensor.extract_slice %[[W]][%[[K]], %[[COL]]] [16, 64] [1, 1]
// CHECK: tensor.insert_slice %[[B11]] into %[[P]][%[[PAIR]], 0, %[[K]], 0] [1, 1, 16, 64]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%[[PAIR]], 6, %[[K]], 0] [1, 1, 16, 64]
// CHECK: %[[LAST:.*]] = scf.for {{.*}} -> (tensor<1x7x128x6xf32>)
// CHECK-DAG: tensor.extract_slice %[[W]][%{{.*}}, 256] [16, 6] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[W]][%{{.*}}, 261] [16, 6] [1, 1]
// CHECK: scf.for {{.*}} -> (tensor<128x267xf32>)
// CHECK: tensor.extract_slice %[[PANELS]][%{{.*}}, 0, 0, 0] [1, 1, 128, 64]
// CHECK: tensor.extract_slice %[[LAST]][0, 0, 0, 0] [1, 1, 128, 6]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 256] [64, 6]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 261] [64, 6]
module attributes {mlc.numerics = "fast"} {
  func.func private @product(%x: tensor<128x256xf32>, %w: tensor<256x267xf32>, %y: tensor<128x267xf32>) -> tensor<128x267xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<128x256xf32>, tensor<256x267xf32>) outs(%y : tensor<128x267xf32>) -> tensor<128x267xf32>
    return %0 : tensor<128x267xf32>
  }
}
