// RUN: mlc-opt %s --tile=tile-sizes=48,16 --linalg-pack --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --interpret --entry product --input iota --input iota > %t.before
// RUN: mlc-opt %s --tile=tile-sizes=48,16 --linalg-pack --target=x86-64-v3 --interpret --entry product --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// A matrix that no constant is, that fills the second cache, and that 96 rows pass, is copied into panels once, before the blocks of rows. The last panel has 4 of 16 columns.
module {
  // CHECK-LABEL: func.func private @product
  // CHECK-SAME: "argument 1 packed in panels of 16 when it runs"
  // CHECK: %[[PACKED:.*]] = tensor.empty() : tensor<257x16x16xf32>
  // CHECK: %[[FULL:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c256{{.*}} iter_args(%{{.*}} = %[[PACKED]])
  // CHECK: tensor.extract_slice %{{.*}} : tensor<16x4100xf32> to tensor<16xf32>
  // CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %c256{{.*}} to %c257{{.*}} iter_args(%{{.*}} = %[[FULL]])
  // CHECK: tensor.extract_slice %{{.*}} : tensor<16x4100xf32> to tensor<4xf32>
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c96{{.*}} step %c48
  // CHECK: tensor.extract_slice %[[ALL]][%{{.*}}, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<257x16x16xf32> to tensor<16x16xf32>
  func.func private @product(%x: tensor<96x16xf32>, %w: tensor<16x4100xf32>) -> tensor<96x4100xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<96x4100xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x4100xf32>) -> tensor<96x4100xf32>
    %0 = linalg.matmul ins(%x, %w : tensor<96x16xf32>, tensor<16x4100xf32>) outs(%init : tensor<96x4100xf32>) -> tensor<96x4100xf32>
    return %0 : tensor<96x4100xf32>
  }
  func.func @caller(%x: tensor<96x16xf32>, %w: tensor<16x4100xf32>) -> tensor<96x4100xf32> {
    %0 = func.call @product(%x, %w) : (tensor<96x16xf32>, tensor<16x4100xf32>) -> tensor<96x4100xf32>
    return %0 : tensor<96x4100xf32>
  }
}
