// RUN: mlc-opt %s --linalg-block --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlc-opt %s --linalg-block --target=x86-64-v4 --split-input-file -o %t
// RUN: mlc-opt %t --linalg-block --target=x86-64-v4 --split-input-file | diff %t -

// The left side leaves the second cache: 800 rows are blocks of 200, as more of 1000 steps do not fit it. The right side becomes
// panels first, all of 16 rows after the other; in a block, parts of the left side are copied, and each part passes all panels.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%[[X:.*]]: tensor<800x2000xf32>, %[[W:.*]]: tensor<2000x200xf32>, %[[BIAS:.*]]: tensor<200xf32>)
// CHECK: %[[PACKED:.*]] = scf.for %[[ROW:.*]] = %c0{{.*}} to %c2000{{.*}} step %c16{{.*}} -> (tensor<4x2000x64xf32>)
// CHECK: scf.for %[[NUMBER:.*]] = %c0{{.*}} to %c3{{.*}} step %c1{{.*}} iter_args(%[[P:.*]] =
// CHECK: tensor.extract_slice %[[W]][%[[ROW]], %{{.*}}] [16, 64] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[P]][%[[NUMBER]], %[[ROW]], 0] [1, 16, 64]
// CHECK: tensor.extract_slice %[[W]][%[[ROW]], %{{.*}}] [16, 8] [1, 1]
// CHECK: scf.for %[[M:.*]] = %c0{{.*}} to %c800{{.*}} step %c200{{.*}} iter_args(%[[Y:.*]] =
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %[[X]][%[[M]], 0] [200, 2000] [1, 1]
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c1000{{.*}} step %c1000
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[LEFT]][0, %[[K]]] [200, 1000] [1, 1]
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[PART]] : {{.*}}) outs(%{{.*}} : tensor<200x1000xf32>)
// CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c192{{.*}} step %c64{{.*}} iter_args(%[[S:.*]] =
// CHECK: %[[PANEL:.*]] = tensor.extract_slice %[[PACKED]][%{{.*}}, %[[K]], 0] [1, 1000, 64] [1, 1, 1]
// CHECK: linalg.matmul {{.*}}ins(%[[COPY]], %[[PANEL]] : {{.*}}) -> tensor<200x64xf32>
// CHECK: tensor.extract_slice %[[PACKED]][3, %[[K]], 0] [1, 1000, 8] [1, 1, 1]
// What follows the product is done with the last part.
// CHECK: %[[PANEL:.*]] = tensor.extract_slice %[[PACKED]][%{{.*}}, 1000, 0] [1, 1000, 64] [1, 1, 1]
// CHECK: %[[SUM:.*]] = linalg.matmul {{.*}}ins(%{{.*}}, %[[PANEL]] : tensor<200x1000xf32>, tensor<1000x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %{{.*}} : tensor<200x64xf32>, tensor<64xf32>)
#same = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
func.func private @product(%x: tensor<800x2000xf32>, %w: tensor<2000x200xf32>, %bias: tensor<200xf32>) -> tensor<800x200xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<800x200xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<800x200xf32>) -> tensor<800x200xf32>
  // expected-remark @below {{in blocks of 200 rows and 256 columns, its right side packed when it runs}}
  // expected-remark @below {{not fused: its consumer reads a window of it, which tiles share}}
  // expected-remark @below {{not fused: its consumer reads a window of it, which tiles share}}
  %0 = linalg.matmul ins(%x, %w : tensor<800x2000xf32>, tensor<2000x200xf32>) outs(%z : tensor<800x200xf32>) -> tensor<800x200xf32>
  %1 = linalg.generic {indexing_maps = [#same, #row, #same], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<800x200xf32>, tensor<200xf32>) outs(%e : tensor<800x200xf32>) {
  ^bb0(%i: f32, %b: f32, %o: f32):
    %s = arith.addf %i, %b : f32
    linalg.yield %s : f32
  } -> tensor<800x200xf32>
  return %1 : tensor<800x200xf32>
}

// -----

// A constant is left to linalg-pack, which finds its panels.
// CHECK-LABEL: func.func private @constant
// CHECK-SAME: (%{{.*}}: tensor<800x1000xf32>, %[[W:.*]]: tensor<1000x192xf32>,
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[W]][0, %{{.*}}] [1000, 64] [1, 1]
module {
  func.func private @constant(%x: tensor<800x1000xf32>, %w: tensor<1000x192xf32>, %y: tensor<800x192xf32>) -> tensor<800x192xf32> {
    // expected-remark @below {{in blocks of 200 rows and 192 columns}}
    %0 = linalg.matmul ins(%x, %w : tensor<800x1000xf32>, tensor<1000x192xf32>) outs(%y : tensor<800x192xf32>) -> tensor<800x192xf32>
    return %0 : tensor<800x192xf32>
  }
  func.func @main(%x: tensor<800x1000xf32>, %y: tensor<800x192xf32>) -> tensor<800x192xf32> {
    %w = arith.constant dense<1.0> : tensor<1000x192xf32>
    %0 = call @constant(%x, %w, %y) : (tensor<800x1000xf32>, tensor<1000x192xf32>, tensor<800x192xf32>) -> tensor<800x192xf32>
    return %0 : tensor<800x192xf32>
  }
}
