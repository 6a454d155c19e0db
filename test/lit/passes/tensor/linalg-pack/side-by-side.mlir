// RUN: mlc-opt %s --linalg-pack --target=x86-64-v3 2>/dev/null | FileCheck %s
// Tiles of two widths: panels are as wide as the narrower tiles, since those do not all begin where
// wide ones do, and a wide tile reads several side by side. What wide tiles leave is a part of them.
// CHECK-DAG: #[[PANELS:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2, d1 mod 16)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func private @kernel_0
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<7x8x16xf32>
// CHECK: scf.for %[[C:.*]] = %c0 to %c64 step %c64
// CHECK: %[[P:.*]] = affine.apply {{.*}}(%[[C]])
// CHECK: tensor.extract_slice %[[W]][%[[P]], 0, 0] [4, 8, 16] [1, 1, 1] : tensor<7x8x16xf32> to tensor<4x8x16xf32>
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[PANELS]], {{.*}}]
// CHECK: tensor.extract_slice %[[W]][4, 0, 0] [3, 8, 16] [1, 1, 1] : tensor<7x8x16xf32> to tensor<3x8x16xf32>
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[PANELS]], {{.*}}]
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c16
// CHECK: tensor.extract_slice %[[W]][%{{.*}}, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<7x8x16xf32> to tensor<8x16xf32>
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[ONE]], {{.*}}]
func.func private @kernel_0(%x: tensor<6x8xf32>, %w: tensor<8x104xf32>, %y: tensor<1x104xf32>, %z: tensor<6x104xf32>) -> (tensor<1x104xf32>, tensor<6x104xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %row = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<1x8xf32>
  %a = scf.for %c = %c0 to %c64 step %c64 iter_args(%to = %y) -> (tensor<1x104xf32>) {
    %p = tensor.extract_slice %w[0, %c] [8, 64] [1, 1] : tensor<8x104xf32> to tensor<8x64xf32>
    %o = tensor.extract_slice %to[0, %c] [1, 64] [1, 1] : tensor<1x104xf32> to tensor<1x64xf32>
    %r = linalg.matmul ins(%row, %p : tensor<1x8xf32>, tensor<8x64xf32>) outs(%o : tensor<1x64xf32>) -> tensor<1x64xf32>
    %i = tensor.insert_slice %r into %to[0, %c] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<1x104xf32>
    scf.yield %i : tensor<1x104xf32>
  }
  %p = tensor.extract_slice %w[0, 64] [8, 40] [1, 1] : tensor<8x104xf32> to tensor<8x40xf32>
  %o = tensor.extract_slice %a[0, 64] [1, 40] [1, 1] : tensor<1x104xf32> to tensor<1x40xf32>
  %r = linalg.matmul ins(%row, %p : tensor<1x8xf32>, tensor<8x40xf32>) outs(%o : tensor<1x40xf32>) -> tensor<1x40xf32>
  %b = tensor.insert_slice %r into %a[0, 64] [1, 40] [1, 1] : tensor<1x40xf32> into tensor<1x104xf32>
  %d = scf.for %c = %c0 to %c96 step %c16 iter_args(%to = %z) -> (tensor<6x104xf32>) {
    %q = tensor.extract_slice %w[0, %c] [8, 16] [1, 1] : tensor<8x104xf32> to tensor<8x16xf32>
    %s = tensor.extract_slice %to[0, %c] [6, 16] [1, 1] : tensor<6x104xf32> to tensor<6x16xf32>
    %t = linalg.matmul ins(%x, %q : tensor<6x8xf32>, tensor<8x16xf32>) outs(%s : tensor<6x16xf32>) -> tensor<6x16xf32>
    %i = tensor.insert_slice %t into %to[0, %c] [6, 16] [1, 1] : tensor<6x16xf32> into tensor<6x104xf32>
    scf.yield %i : tensor<6x104xf32>
  }
  return %b, %d : tensor<1x104xf32>, tensor<6x104xf32>
}
func.func @main(%x: tensor<6x8xf32>, %y: tensor<1x104xf32>, %z: tensor<6x104xf32>) -> (tensor<1x104xf32>, tensor<6x104xf32>) {
  %w = arith.constant dense<1.0> : tensor<8x104xf32>
  %0:2 = call @kernel_0(%x, %w, %y, %z) : (tensor<6x8xf32>, tensor<8x104xf32>, tensor<1x104xf32>, tensor<6x104xf32>) -> (tensor<1x104xf32>, tensor<6x104xf32>)
  return %0#0, %0#1 : tensor<1x104xf32>, tensor<6x104xf32>
}
