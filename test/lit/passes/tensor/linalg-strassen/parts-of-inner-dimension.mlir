// RUN: mlc-opt %s --linalg-strassen="always inner=100" --target=x86-64-v4 2>/dev/null | FileCheck %s
// 256 steps are products of 100, 100 and 56, each of which starts from the one before; what follows is done with the last.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%[[X:.*]]: tensor<64x256xf32>, %[[W:.*]]: tensor<256x128xf32>, %[[Y:.*]]: tensor<64x128xf32>)
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[W]][0, 0] [100, 128]
// CHECK: tensor.extract_slice %[[W1]][
// CHECK: %[[FIRST:.*]] = scf.for {{.*}} -> (tensor<64x128xf32>)
// CHECK: %[[W2:.*]] = tensor.extract_slice %[[W]][100, 0] [100, 128]
// CHECK: tensor.extract_slice %[[W2]][
// CHECK: %[[SECOND:.*]] = scf.for {{.*}} -> (tensor<64x128xf32>)
// CHECK: %[[START:.*]] = tensor.extract_slice %[[FIRST]][0, %{{.*}}] [32, 64]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[START]] :
// CHECK-NOT: math.absf
// CHECK: %[[W3:.*]] = tensor.extract_slice %[[W]][200, 0] [56, 128]
// CHECK: tensor.extract_slice %[[W3]][
// CHECK: tensor.extract_slice %[[SECOND]][0, %{{.*}}] [32, 64]
// CHECK: math.absf
#same = affine_map<(m, n) -> (m, n)>
module attributes {mlc.numerics = "fast"} {
  func.func private @product(%x: tensor<64x256xf32>, %w: tensor<256x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x128xf32>) outs(%y : tensor<64x128xf32>) -> tensor<64x128xf32>
    %e = tensor.empty() : tensor<64x128xf32>
    %1 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
    ^bb0(%i: f32, %o: f32):
      %a = math.absf %i : f32
      linalg.yield %a : f32
    } -> tensor<64x128xf32>
    return %1 : tensor<64x128xf32>
  }
}
