// RUN: mlc-opt %s --linalg-dot-products --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --linalg-dot-products --linalg-dot-products --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input iota > %t.before
// RUN: mlc-opt %s --linalg-dot-products --target=x86-64-v4-vnni --interpret --entry main --input iota > %t.after
// RUN: diff %t.before %t.after
// A product of bytes by constant weights: the inner loop goes in runs of four, which lie side by side in the weights.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2 * 4 + d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>
// CHECK: arith.constant dense<{{\[\[}}[1, 3, 5, 7], [2, 4, 6, 8]], {{\[}}[-1, -3, -5, -7], [-2, -4, -6, -8]]]> : tensor<2x2x4xi8>
// CHECK: mlc.notes = ["dot products of bytes, argument 1 by fours"]
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<3x8xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8], [-1, -2], [-3, -4], [-5, -6], [-7, -8]]> : tensor<8x2xi8>
  %y = call @kernel(%x, %w) : (tensor<3x8xi8>, tensor<8x2xi8>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
func.func private @kernel(%x: tensor<3x8xi8>, %w: tensor<8x2xi8>) -> tensor<3x2xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x2xi32>
  %start = linalg.fill ins(%zero : i32) outs(%e : tensor<3x2xi32>) -> tensor<3x2xi32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x8xi8>, tensor<8x2xi8>) outs(%start : tensor<3x2xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
