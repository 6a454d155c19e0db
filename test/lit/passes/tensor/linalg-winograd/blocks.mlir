// RUN: mlc-opt %s --linalg-winograd --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s

// What 16 images take would be four times the share of the third cache: a loop over blocks of some,
// each padded for itself; what follows is computed in the block, and written to its place.
// CHECK-LABEL: func.func private @conv
// CHECK-SAME: %[[X:[^ ]+]]: tensor<16x28x28x64xf32>, %[[U:[^ ]+]]: tensor<36x64x64xf32>, %[[R:[^ ]+]]: tensor<16x28x28x64xf32>
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[I:[^ ]+]] = %c0 to %c16 step %c8 iter_args(%[[Y:[^ ]+]] =
// CHECK-DAG: %[[PLACE:.+]] = tensor.extract_slice %[[Y]][%[[I]], 0, 0, 0] [8, 28, 28, 64]
// CHECK-DAG: %[[IMAGES:.+]] = tensor.extract_slice %[[X]][%[[I]], 0, 0, 0] [8, 28, 28, 64]
// CHECK: tensor.pad %[[IMAGES]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.winograd_input_transform {{.*}} -> tensor<6x6x7x7x8x64xf32>
// CHECK: linalg.winograd_output_transform {{.*}} -> tensor<8x28x28x64xf32>
// CHECK: linalg.generic {{.*}} outs(%[[PLACE]] :
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func private @conv(%x: tensor<16x28x28x64xf32>, %w: tensor<3x3x64x64xf32>, %r: tensor<16x28x28x64xf32>) -> tensor<16x28x28x64xf32> {
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %zero : f32
    } : tensor<16x28x28x64xf32> to tensor<16x30x30x64xf32>
    %e = tensor.empty() : tensor<16x28x28x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x28x28x64xf32>) -> tensor<16x28x28x64xf32>
    // expected-remark @below {{by Winograd's F(4, 3)}}
    // expected-remark @below {{8 images at a time}}
    %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<16x30x30x64xf32>, tensor<3x3x64x64xf32>) outs(%f : tensor<16x28x28x64xf32>) -> tensor<16x28x28x64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %r : tensor<16x28x28x64xf32>, tensor<16x28x28x64xf32>) outs(%e : tensor<16x28x28x64xf32>) {
    ^bb0(%in: f32, %add: f32, %out: f32):
      %s = arith.addf %in, %add : f32
      linalg.yield %s : f32
    } -> tensor<16x28x28x64xf32>
    return %1 : tensor<16x28x28x64xf32>
  }
  func.func @main(%x: tensor<16x28x28x64xf32>, %r: tensor<16x28x28x64xf32>) -> tensor<16x28x28x64xf32> {
    %w = arith.constant dense<1.0> : tensor<3x3x64x64xf32>
    %0 = call @conv(%x, %w, %r) : (tensor<16x28x28x64xf32>, tensor<3x3x64x64xf32>, tensor<16x28x28x64xf32>) -> tensor<16x28x28x64xf32>
    return %0 : tensor<16x28x28x64xf32>
  }
}
