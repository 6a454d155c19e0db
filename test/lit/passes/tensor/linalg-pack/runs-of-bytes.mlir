// RUN: mlc-opt %s --linalg-pack --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input iota > %t.before
// RUN: mlc-opt %s --linalg-pack --target=x86-64-v4-vnni --interpret --entry main --input iota > %t.after
// RUN: diff %t.before %t.after
// Weights that dot products read by runs of four bytes keep them together: [K / 4, N, 4] to [N / 2, K / 4, 2, 4].
// CHECK: arith.constant dense<{{\[\[\[}}[1, 2, 3, 4], [5, 6, 7, 8]], {{\[}}[17, 18, 19, 20], [21, 22, 23, 24]]],
// CHECK-SAME: {{\[\[}}[9, 10, 11, 12], [0, 0, 0, 0]], {{\[}}[25, 26, 27, 28], [0, 0, 0, 0]]]]> : tensor<2x2x2x4xi8>
#a = affine_map<(m, n, k, q) -> (m, k * 4 + q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @main(%x: tensor<1x8xi8>) -> tensor<1x3xi32> {
  %w = arith.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[17, 18, 19, 20], [21, 22, 23, 24], [25, 26, 27, 28]]]> : tensor<2x3x4xi8>
  %y = call @kernel(%x, %w) : (tensor<1x8xi8>, tensor<2x3x4xi8>) -> tensor<1x3xi32>
  return %y : tensor<1x3xi32>
}
func.func private @kernel(%x: tensor<1x8xi8>, %w: tensor<2x3x4xi8>) -> tensor<1x3xi32> {
  %start = arith.constant dense<0> : tensor<1x3xi32>
  %w0 = tensor.extract_slice %w[0, 0, 0] [2, 2, 4] [1, 1, 1] : tensor<2x3x4xi8> to tensor<2x2x4xi8>
  %s0 = tensor.extract_slice %start[0, 0] [1, 2] [1, 1] : tensor<1x3xi32> to tensor<1x2xi32>
  %y0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w0 : tensor<1x8xi8>, tensor<2x2x4xi8>) outs(%s0 : tensor<1x2xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x2xi32>
  %r0 = tensor.insert_slice %y0 into %start[0, 0] [1, 2] [1, 1] : tensor<1x2xi32> into tensor<1x3xi32>
  %w1 = tensor.extract_slice %w[0, 2, 0] [2, 1, 4] [1, 1, 1] : tensor<2x3x4xi8> to tensor<2x1x4xi8>
  %s1 = tensor.extract_slice %start[0, 2] [1, 1] [1, 1] : tensor<1x3xi32> to tensor<1x1xi32>
  %y1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w1 : tensor<1x8xi8>, tensor<2x1x4xi8>) outs(%s1 : tensor<1x1xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x1xi32>
  %r1 = tensor.insert_slice %y1 into %r0[0, 2] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<1x3xi32>
  return %r1 : tensor<1x3xi32>
}
