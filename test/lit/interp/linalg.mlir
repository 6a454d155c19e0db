// RUN: mlc-opt %s --interpret --entry generic --input iota | FileCheck %s --check-prefix=GENERIC
// RUN: mlc-opt %s --interpret --entry memory --input iota --input zeros | FileCheck %s --check-prefix=MEMORY
// linalg.generic, on tensors and on memory.
// x.T * 2 + index of the column, in i32; and in i128, which takes the slow road.
// GENERIC: dense<{{\[\[}}0, 7], [2, 9], [4, 11]]> : tensor<3x2xi32>
// GENERIC-NEXT: dense<5070602400912917605986812821504> : tensor<2xi128>
func.func @generic(%x: tensor<2x3xi32>) -> (tensor<3x2xi32>, tensor<2xi128>) {
  %two = arith.constant 2 : i32
  %e = tensor.empty() : tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %d = arith.muli %in, %two : i32
    %s = arith.addi %d, %j : i32
    linalg.yield %s : i32
  } -> tensor<3x2xi32>
  %big = arith.constant dense<2251799813685248> : tensor<2xi128>
  %f = tensor.empty() : tensor<2xi128>
  %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%big : tensor<2xi128>) outs(%f : tensor<2xi128>) {
  ^bb0(%in: i128, %out: i128):
    %d = arith.muli %in, %in : i128
    linalg.yield %d : i128
  } -> tensor<2xi128>
  return %r, %q : tensor<3x2xi32>, tensor<2xi128>
}
// Sums over rows of a window of a bigger buffer: [0 + 1, 4 + 5, 8 + 9].
// MEMORY: dense<{{\[\[}}0.000000e+00, 1.000000e+00, {{.*}}> : tensor<3x4xf32>
// MEMORY-NEXT: dense<[1.000000e+00, 9.000000e+00, 1.700000e+01]> : tensor<3xf32>
func.func @memory(%x: memref<3x4xf32>, %sums: memref<3xf32>) {
  %w = memref.subview %x[0, 0] [3, 2] [1, 1] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 1]>>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%w : memref<3x2xf32, strided<[4, 1]>>) outs(%sums : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  }
  return
}
