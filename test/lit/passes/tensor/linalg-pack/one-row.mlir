// RUN: mlc-opt %s --linalg-pack --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --linalg-pack --linalg-vectorize --target=x86-64-v3 | FileCheck %s --check-prefix=VECTOR
// One row times a matrix that leaves the second cache: a tile of 64 columns reads four panels of 16,
// each a stream of its own; the last 17 columns read two.
// CHECK: #[[MAP:[a-z0-9]+]] = affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2, d1 mod 16)>
// CHECK-LABEL: func.func private @product(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<22x1024x16xf32>
// CHECK: tensor.extract_slice %[[W]][%{{.*}}, 0, 0] [4, 1024, 16]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[MAP]],
// CHECK: tensor.extract_slice %[[W]][20, 0, 0] [2, 1024, 16]
// VECTOR-LABEL: func.func private @product(
// VECTOR-SAME: %[[W:[a-z0-9]+]]: tensor<22x1024x16xf32>
// VECTOR: scf.for
// VECTOR-COUNT-16: vector.transfer_read %[[W]]
// VECTOR-NOT: vector.from_elements
module {
  func.func private @product(%w: tensor<1024x337xf32>, %x: tensor<1x1024xf32>, %init: tensor<1x337xf32>) -> tensor<1x337xf32> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %0 = scf.for %j = %c0 to %c320 step %c64 iter_args(%acc = %init) -> tensor<1x337xf32> {
      %panel = tensor.extract_slice %w[0, %j] [1024, 64] [1, 1] : tensor<1024x337xf32> to tensor<1024x64xf32>
      %part = tensor.extract_slice %acc[0, %j] [1, 64] [1, 1] : tensor<1x337xf32> to tensor<1x64xf32>
      %sum = linalg.matmul ins(%x, %panel : tensor<1x1024xf32>, tensor<1024x64xf32>) outs(%part : tensor<1x64xf32>) -> tensor<1x64xf32>
      %next = tensor.insert_slice %sum into %acc[0, %j] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<1x337xf32>
      scf.yield %next : tensor<1x337xf32>
    }
    %last = tensor.extract_slice %w[0, 320] [1024, 17] [1, 1] : tensor<1024x337xf32> to tensor<1024x17xf32>
    %rest = tensor.extract_slice %0[0, 320] [1, 17] [1, 1] : tensor<1x337xf32> to tensor<1x17xf32>
    %sum = linalg.matmul ins(%x, %last : tensor<1x1024xf32>, tensor<1024x17xf32>) outs(%rest : tensor<1x17xf32>) -> tensor<1x17xf32>
    %result = tensor.insert_slice %sum into %0[0, 320] [1, 17] [1, 1] : tensor<1x17xf32> into tensor<1x337xf32>
    return %result : tensor<1x337xf32>
  }
  func.func @caller(%x: tensor<1x1024xf32>, %init: tensor<1x337xf32>) -> tensor<1x337xf32> {
    %w = arith.constant dense<1.0> : tensor<1024x337xf32>
    %0 = func.call @product(%w, %x, %init) : (tensor<1024x337xf32>, tensor<1x1024xf32>, tensor<1x337xf32>) -> tensor<1x337xf32>
    return %0 : tensor<1x337xf32>
  }
}
