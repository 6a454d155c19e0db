// RUN: mlc-opt %s --linalg-dot-products --target=x86-64-v4-vnni --split-input-file | FileCheck %s
// RUN: mlc-opt %S/runs-of-four.mlir --linalg-dot-products --target=x86-64-v4 | FileCheck %s --check-prefix=NONE
// RUN: mlc-opt %S/runs-of-four.mlir --linalg-dot-products --target=aarch64-dotprod | FileCheck %s --check-prefix=SIGNS
// An inner size that is no multiple of four; weights that callers compute; machines without the instruction, or with
// other signs.
// CHECK: func.func private @kernel(%{{.*}}, %{{.*}}: tensor<6x2xi8>)
// CHECK-SAME: mlc.notes = ["no dot products of bytes: its inner loop does not go in runs of four"]
// NONE: tensor<8x2xi8>
// NONE: mlc.notes = ["no dot products of bytes: the machine has no such instruction"]
// SIGNS: mlc.notes = ["no dot products of bytes: the machine multiplies bytes of other signs"]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<3x6xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<1> : tensor<6x2xi8>
  %y = call @kernel(%x, %w) : (tensor<3x6xi8>, tensor<6x2xi8>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
func.func private @kernel(%x: tensor<3x6xi8>, %w: tensor<6x2xi8>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x6xi8>, tensor<6x2xi8>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}

// -----

// CHECK: func.func private @kernel(%{{.*}}, %{{.*}}: tensor<8x2xi8>)
// CHECK-SAME: mlc.notes = ["no dot products of bytes: its weights are computed"]
// CHECK-NOT: tensor<2x2x4xi8>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<3x8xi8>, %w: tensor<8x2xi8>) -> tensor<3x2xi32> {
  %y = call @kernel(%x, %w) : (tensor<3x8xi8>, tensor<8x2xi8>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
func.func private @kernel(%x: tensor<3x8xi8>, %w: tensor<8x2xi8>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x8xi8>, tensor<8x2xi8>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}

// -----

// CHECK: mlc.notes = ["no dot products of bytes: its factors are no bytes"]
func.func private @kernel(%x: tensor<3x8xi32>, %w: tensor<8x2xi32>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %y = linalg.matmul ins(%x, %w : tensor<3x8xi32>, tensor<8x2xi32>) outs(%e : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
