// RUN: mlc-opt %s --linalg-strassen --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s

// The weights come as seven panels for each pair of panels. What follows the product is done to each quarter.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%[[X:.*]]: tensor<128x256xf32>, %[[W:.*]]: tensor<2x7x128x64xf32>, %[[BIAS:.*]]: tensor<256xf32>)
// CHECK: %[[PARTS:.*]]:7 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK-DAG: tensor.extract_slice %[[X]][%[[I]], 0] [16, 128] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[X]][%[[I]], 128] [16, 128] [1, 1]
// CHECK: %[[LOW:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-DAG: tensor.extract_slice %[[X]][%[[LOW]], 0] [16, 128] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[X]][%[[LOW]], 128] [16, 128] [1, 1]
// CHECK: scf.for %[[J:.*]] = %{{.*}} iter_args(%[[Y:.*]] = %{{.*}}) -> (tensor<128x256xf32>)
// CHECK: %[[B11:.*]] = tensor.extract_slice %[[W]][%{{.*}}, 0, 0, 0] [1, 1, 128, 64]
// CHECK: %[[P1:.*]] = linalg.matmul ins(%[[PARTS]]#0, %[[B11]] :
// CHECK: %[[B21:.*]] = tensor.extract_slice %[[W]][%{{.*}}, 1, 0, 0] [1, 1, 128, 64]
// CHECK: %[[P2:.*]] = linalg.matmul ins(%[[PARTS]]#1, %[[B21]] :
// CHECK: %[[C11:.*]] = linalg.generic {{.*}} ins(%[[P2]], %[[P1]] :
// CHECK: %[[BIAS11:.*]] = tensor.extract_slice %[[BIAS]][%[[J]]] [64] [1]
// CHECK: %[[Y11:.*]] = linalg.generic {{.*}} ins(%[[C11]], %[[BIAS11]] :
// CHECK: tensor.insert_slice %[[Y11]] into %[[Y]][0, %[[J]]] [64, 64] [1, 1]
// CHECK: %[[U2:.*]] = linalg.matmul ins(%[[PARTS]]#2, %{{.*}} : {{.*}}) outs(%[[P1]] :
// CHECK: %[[P5:.*]] = linalg.matmul ins(%[[PARTS]]#3,
// CHECK: %[[P3:.*]] = linalg.matmul ins(%[[PARTS]]#4,
// CHECK: linalg.generic {{.*}} ins(%[[P3]], %[[U2]], %[[P5]] :
// CHECK: %[[U3:.*]] = linalg.matmul ins(%[[PARTS]]#5, %{{.*}} : {{.*}}) outs(%[[U2]] :
// CHECK: linalg.generic {{.*}} ins(%[[P5]], %[[U3]] :
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[64, %{{.*}}] [64, 64] [1, 1]
// CHECK: %[[P4:.*]] = linalg.matmul ins(%[[PARTS]]#6,
// CHECK: linalg.generic {{.*}} ins(%[[P4]], %[[U3]] :
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[64, %[[J]]] [64, 64] [1, 1]
#same = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
module attributes {mlc.numerics = "fast"} {
  func.func private @product(%x: tensor<128x256xf32>, %w: tensor<256x256xf32>, %bias: tensor<256xf32>) -> tensor<128x256xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<128x256xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
    // expected-remark @below {{by Strassen's algorithm, estimated at 0.95 of the cycles}}
    %0 = linalg.matmul ins(%x, %w : tensor<128x256xf32>, tensor<256x256xf32>) outs(%z : tensor<128x256xf32>) -> tensor<128x256xf32>
    %1 = linalg.generic {indexing_maps = [#same, #row, #same], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<128x256xf32>, tensor<256xf32>) outs(%e : tensor<128x256xf32>) {
    ^bb0(%i: f32, %b: f32, %o: f32):
      %s = arith.addf %i, %b : f32
      linalg.yield %s : f32
    } -> tensor<128x256xf32>
    return %1 : tensor<128x256xf32>
  }
  func.func @main(%x: tensor<128x256xf32>, %bias: tensor<256xf32>) -> tensor<128x256xf32> {
    %w = arith.constant dense<1.0> : tensor<256x256xf32>
    %0 = call @product(%x, %w, %bias) : (tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>) -> tensor<128x256xf32>
    return %0 : tensor<128x256xf32>
  }
}

// -----

// With few rows the weights are what counts, and there would be more of them.
// CHECK-LABEL: func.func private @few_rows
// CHECK-SAME: tensor<1024x1024xf32>
module attributes {mlc.numerics = "fast"} {
  func.func private @few_rows(%x: tensor<16x1024xf32>, %w: tensor<1024x1024xf32>, %y: tensor<16x1024xf32>) -> tensor<16x1024xf32> {
    // expected-remark @below {{multiplied plainly: Strassen's algorithm would take}}
    %0 = linalg.matmul ins(%x, %w : tensor<16x1024xf32>, tensor<1024x1024xf32>) outs(%y : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    return %0 : tensor<16x1024xf32>
  }
}

// -----

// A matrix that callers pass as they like: its sums cost more than they save where few rows pass.
// CHECK-LABEL: func.func private @unknown_matrix
// CHECK: tensor.empty() : tensor<8x7x512x64xf32>
// CHECK-LABEL: func.func private @unknown_matrix_of_few_rows
// CHECK-NOT: scf.for
module attributes {mlc.numerics = "fast"} {
  func.func private @unknown_matrix(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    // expected-remark @below {{by Strassen's algorithm, estimated at}}
    %0 = linalg.matmul ins(%x, %w : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
  func.func private @unknown_matrix_of_few_rows(%x: tensor<128x512xf32>, %w: tensor<512x512xf32>, %y: tensor<128x512xf32>) -> tensor<128x512xf32> {
    // expected-remark @below {{multiplied plainly: Strassen's algorithm would take}}
    %0 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x512xf32>) outs(%y : tensor<128x512xf32>) -> tensor<128x512xf32>
    return %0 : tensor<128x512xf32>
  }
}

// -----

// Results must stay the product's own.
// CHECK: module attributes {mlc.numerics = "strict"}
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<128x512xf32>, tensor<512x512xf32>)
module attributes {mlc.numerics = "strict"} {
  func.func private @product(%x: tensor<128x512xf32>, %w: tensor<512x512xf32>, %y: tensor<128x512xf32>) -> tensor<128x512xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x512xf32>) outs(%y : tensor<128x512xf32>) -> tensor<128x512xf32>
    return %0 : tensor<128x512xf32>
  }
  func.func @main(%x: tensor<128x512xf32>, %y: tensor<128x512xf32>) -> tensor<128x512xf32> {
    %w = arith.constant dense<1.0> : tensor<512x512xf32>
    %0 = call @product(%x, %w, %y) : (tensor<128x512xf32>, tensor<512x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
    return %0 : tensor<128x512xf32>
  }
}

// -----

// Each row must keep an error of its own, by default too.
// CHECK-LABEL: func.func private @product_by_default
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<128x512xf32>, tensor<512x512xf32>)
module {
  func.func private @product_by_default(%x: tensor<128x512xf32>, %w: tensor<512x512xf32>, %y: tensor<128x512xf32>) -> tensor<128x512xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x512xf32>) outs(%y : tensor<128x512xf32>) -> tensor<128x512xf32>
    return %0 : tensor<128x512xf32>
  }
  func.func @main(%x: tensor<128x512xf32>, %y: tensor<128x512xf32>) -> tensor<128x512xf32> {
    %w = arith.constant dense<1.0> : tensor<512x512xf32>
    %0 = call @product_by_default(%x, %w, %y) : (tensor<128x512xf32>, tensor<512x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
    return %0 : tensor<128x512xf32>
  }
}
