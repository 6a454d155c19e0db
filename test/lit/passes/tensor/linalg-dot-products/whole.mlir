// RUN: mlc-opt %s --linalg-dot-products=whole --target=cuda-sm_80 | FileCheck %s
// RUN: mlc-opt %s --linalg-dot-products=whole --linalg-dot-products=whole --target=cuda-sm_80 | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input iota > %t.before
// RUN: mlc-opt %s --linalg-dot-products=whole --target=cuda-sm_80 --interpret --entry main --input iota > %t.after
// RUN: diff %t.before %t.after
// For a GPU loops stay, and constant weights of a channel lie together.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK: arith.constant dense<{{\[\[}}1, 3, 5], [2, 4, 6]]> : tensor<2x3xi8>
// CHECK: mlc.notes = ["dot products of bytes, argument 1 by channels"]
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x3xi8>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %y = call @kernel(%x, %w) : (tensor<4x3xi8>, tensor<3x2xi8>) -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}
func.func private @kernel(%x: tensor<4x3xi8>, %w: tensor<3x2xi8>) -> tensor<4x2xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x2xi32>
  %start = linalg.fill ins(%zero : i32) outs(%e : tensor<4x2xi32>) -> tensor<4x2xi32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x3xi8>, tensor<3x2xi8>) outs(%start : tensor<4x2xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}
