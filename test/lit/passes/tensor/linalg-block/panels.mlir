// RUN: mlc-opt %s --linalg-block --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlc-opt %s --linalg-block --target=x86-64-v4 --split-input-file -o %t
// RUN: mlc-opt %t --linalg-block --target=x86-64-v4 --split-input-file | diff %t -

// Panels of 64 columns; parts of the inner dimension whose panels take 0.3 of 1 MiB. What follows is done with the last part.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%[[X:.*]]: tensor<200x2000xf32>, %[[W:.*]]: tensor<2000x200xf32>, %[[BIAS:.*]]: tensor<200xf32>)
// CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c192{{.*}} step %c64{{.*}} iter_args(%[[Y:.*]] =
// CHECK: %[[PANEL:.*]] = tensor.extract_slice %[[W]][0, %[[N]]] [2000, 64] [1, 1]
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} tensor<200x64xf32>
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c1000{{.*}} step %c1000{{.*}} iter_args(%[[S:.*]] = %[[ZERO]])
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %[[X]][0, %[[K]]] [200, 1000] [1, 1]
// CHECK: %[[RIGHT:.*]] = tensor.extract_slice %[[PANEL]][%[[K]], 0] [1000, 64] [1, 1]
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[RIGHT]] : {{.*}}) outs(%{{.*}} : tensor<1000x64xf32>)
// CHECK: %[[PART:.*]] = linalg.matmul {{.*}}ins(%[[LEFT]], %[[COPY]] : {{.*}}) outs(%[[S]] :
// CHECK: scf.yield %[[PART]]
// CHECK: %[[LAST:.*]] = linalg.matmul {{.*}}ins({{.*}} : tensor<200x1000xf32>, tensor<1000x64xf32>) outs(%[[SUM]] :
// CHECK: %[[OUT:.*]] = linalg.generic {{.*}} ins(%[[LAST]], %{{.*}} : tensor<200x64xf32>, tensor<64xf32>)
// CHECK: tensor.insert_slice %[[OUT]] into %[[Y]][0, %[[N]]] [200, 64] [1, 1]
// The columns that are left are a narrower panel, whole.
// CHECK: linalg.matmul {{.*}} tensor<2000x8xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 192] [200, 8] [1, 1]
#same = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
func.func private @product(%x: tensor<200x2000xf32>, %w: tensor<2000x200xf32>, %bias: tensor<200xf32>) -> tensor<200x200xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<200x200xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<200x200xf32>) -> tensor<200x200xf32>
  // expected-remark @below {{in panels that are copied: its right side is no constant}}
  %0 = linalg.matmul ins(%x, %w : tensor<200x2000xf32>, tensor<2000x200xf32>) outs(%z : tensor<200x200xf32>) -> tensor<200x200xf32>
  %1 = linalg.generic {indexing_maps = [#same, #row, #same], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<200x200xf32>, tensor<200xf32>) outs(%e : tensor<200x200xf32>) {
  ^bb0(%i: f32, %b: f32, %o: f32):
    %s = arith.addf %i, %b : f32
    linalg.yield %s : f32
  } -> tensor<200x200xf32>
  return %1 : tensor<200x200xf32>
}

// -----

// Batches come one by one, each with its own matrix. The sums of parts are kept in one place and then copied.
// CHECK-LABEL: func.func private @batches
// CHECK: scf.for %[[B:.*]] = %c0{{.*}} to %c3{{.*}} step %c1
// CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c512{{.*}} step %c64
// CHECK: tensor.extract_slice %arg1[%[[B]], 0, %[[N]]] [1, 600, 64] [1, 1, 1]
// CHECK: %[[LAST:.*]] = linalg.batch_matmul {{.*}} tensor<1x600x64xf32>
// CHECK: linalg.generic {{.*}} ins(%[[LAST]] :
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%[[B]], 0, %[[N]]] [1, 128, 64] [1, 1, 1]
func.func private @batches(%x: tensor<3x128x600xf32>, %w: tensor<3x600x512xf32>, %y: tensor<3x128x512xf32>) -> tensor<3x128x512xf32> {
  // expected-remark @below {{in panels that are copied}}
  %0 = linalg.batch_matmul ins(%x, %w : tensor<3x128x600xf32>, tensor<3x600x512xf32>) outs(%y : tensor<3x128x512xf32>) -> tensor<3x128x512xf32>
  return %0 : tensor<3x128x512xf32>
}

// -----

// Too few rows to pay for the copy; a matrix that the caches hold; a constant, which is packed when compiling.
// CHECK-NOT: scf.for
module {
  func.func private @few_rows(%x: tensor<64x2000xf32>, %w: tensor<2000x200xf32>, %y: tensor<64x200xf32>) -> tensor<64x200xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<64x2000xf32>, tensor<2000x200xf32>) outs(%y : tensor<64x200xf32>) -> tensor<64x200xf32>
    return %0 : tensor<64x200xf32>
  }
  func.func private @small(%x: tensor<200x200xf32>, %w: tensor<200x200xf32>, %y: tensor<200x200xf32>) -> tensor<200x200xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<200x200xf32>, tensor<200x200xf32>) outs(%y : tensor<200x200xf32>) -> tensor<200x200xf32>
    return %0 : tensor<200x200xf32>
  }
  func.func private @constant(%x: tensor<200x2000xf32>, %w: tensor<2000x200xf32>, %y: tensor<200x200xf32>) -> tensor<200x200xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<200x2000xf32>, tensor<2000x200xf32>) outs(%y : tensor<200x200xf32>) -> tensor<200x200xf32>
    return %0 : tensor<200x200xf32>
  }
  func.func @main(%x: tensor<200x2000xf32>, %y: tensor<200x200xf32>) -> tensor<200x200xf32> {
    %w = arith.constant dense<1.0> : tensor<2000x200xf32>
    %0 = call @constant(%x, %w, %y) : (tensor<200x2000xf32>, tensor<2000x200xf32>, tensor<200x200xf32>) -> tensor<200x200xf32>
    return %0 : tensor<200x200xf32>
  }
}
