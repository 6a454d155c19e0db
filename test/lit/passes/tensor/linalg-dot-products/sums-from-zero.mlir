// RUN: mlc-opt %s --linalg-dot-products --target=x86-64-v4-amx | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input iota --input iota > %t.before
// RUN: mlc-opt %s --linalg-dot-products --target=x86-64-v4-amx --interpret --entry main --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// Registers of small matrices start from zeros: the bias joins the op that reads the sums.
// CHECK-LABEL: func.func private @kernel
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%c0_i32 : i32)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<3x2xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %arg2 : tensor<3x2xi32>, tensor<2xi32>)
// CHECK: arith.addi
// CHECK: arith.maxsi
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<3x16xi8>, %bias: tensor<2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8], [-1, -2], [-3, -4], [-5, -6], [-7, -8],
                             [1, 2], [3, 4], [5, 6], [7, 8], [-1, -2], [-3, -4], [-5, -6], [-7, -8]]> : tensor<16x2xi8>
  %y = call @kernel(%x, %w, %bias) : (tensor<3x16xi8>, tensor<16x2xi8>, tensor<2xi32>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
func.func private @kernel(%x: tensor<3x16xi8>, %w: tensor<16x2xi8>, %bias: tensor<2xi32>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %start = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<2xi32>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%s: i32, %o: i32):
    linalg.yield %s : i32
  } -> tensor<3x2xi32>
  %sum = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x16xi8>, tensor<16x2xi8>) outs(%start : tensor<3x2xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<3x2xi32>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%s: i32, %o: i32):
    %c7 = arith.constant 7 : i32
    %m = arith.maxsi %s, %c7 : i32
    linalg.yield %m : i32
  } -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
