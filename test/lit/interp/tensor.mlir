// RUN: mlc-opt %s --interpret --entry slices --input iota | FileCheck %s --check-prefix=SLICES
// RUN: mlc-opt %s --interpret --entry shapes --input iota | FileCheck %s --check-prefix=SHAPES
// RUN: mlc-opt %s --interpret --entry packs --input iota | FileCheck %s --check-prefix=PACKS
// Expected: numpy, x = arange(12).reshape(3, 4).
// x[1:3, 0:4:2]
// SLICES: dense<{{\[\[}}4, 6], [8, 10]]> : tensor<2x2xi32>
// x[2, 1:3] (a dropped unit dimension)
// SLICES-NEXT: dense<[9, 10]> : tensor<2xi32>
// x with x[0:2, 1:3] set to x[1:3, 0:4:2]
// SLICES-NEXT: dense<{{\[\[}}0, 4, 6, 3], [4, 8, 10, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
// the slice is a value: x is what it was
// SLICES-NEXT: 1 : i32
// concatenate([x, x[1:3]]) has 5 rows; its sum's first column: 0 4 8 4 8
// SLICES-NEXT: dense<{{\[\[}}0], [4], [8], [4], [8]]> : tensor<5x1xi32>
func.func @slices(%x: tensor<3x4xi32>) -> (tensor<2x2xi32>, tensor<2xi32>, tensor<3x4xi32>, i32, tensor<5x1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tensor.extract_slice %x[%c1, 0] [2, 2] [1, %c2] : tensor<3x4xi32> to tensor<2x2xi32>
  %r = tensor.extract_slice %x[2, 1] [1, 2] [1, 1] : tensor<3x4xi32> to tensor<2xi32>
  %i = tensor.insert_slice %s into %x[0, 1] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<3x4xi32>
  %e = tensor.extract %x[%c0, %c1] : tensor<3x4xi32>
  %two = tensor.extract_slice %x[1, 0] [2, 4] [1, 1] : tensor<3x4xi32> to tensor<2x4xi32>
  %cat = tensor.concat dim(0) %x, %two : (tensor<3x4xi32>, tensor<2x4xi32>) -> tensor<5x4xi32>
  %col = tensor.extract_slice %cat[0, 0] [5, 1] [1, 1] : tensor<5x4xi32> to tensor<5x1xi32>
  return %s, %r, %i, %e, %col : tensor<2x2xi32>, tensor<2xi32>, tensor<3x4xi32>, i32, tensor<5x1xi32>
}
// SHAPES: dense<{{\[\[}}0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi32>
// SHAPES-NEXT: 3 : index
// pad(x[:, :1], ((1, 0), (0, 2)), constant_values=7)
// SHAPES-NEXT: dense<{{\[\[}}7, 7, 7], [0, 7, 7], [4, 7, 7], [8, 7, 7]]> : tensor<4x3xi32>
// fromfunction(lambda i, j: 10 * i + j)
// SHAPES-NEXT: dense<{{\[\[}}0, 1, 2], [10, 11, 12]]> : tensor<2x3xindex>
func.func @shapes(%x: tensor<3x4xi32>) -> (tensor<6x2xi32>, index, tensor<4x3xi32>, tensor<2x3xindex>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<3x4xi32> into tensor<12xi32>
  %pairs = tensor.expand_shape %flat [[0, 1]] output_shape [6, 2] : tensor<12xi32> into tensor<6x2xi32>
  %dyn = tensor.cast %x : tensor<3x4xi32> to tensor<?x?xi32>
  %dim = tensor.dim %dyn, %c0 : tensor<?x?xi32>
  %first = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<3x4xi32> to tensor<3x1xi32>
  %seven = arith.constant 7 : i32
  %pad = tensor.pad %first low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : i32
  } : tensor<3x1xi32> to tensor<4x3xi32>
  %gen = tensor.generate {
  ^bb0(%i: index, %j: index):
    %t = arith.muli %i, %c10 : index
    %u = arith.addi %t, %j : index
    tensor.yield %u : index
  } : tensor<2x3xindex>
  return %pairs, %dim, %pad, %gen : tensor<6x2xi32>, index, tensor<4x3xi32>, tensor<2x3xindex>
}
// Tiles of 2x2, the second dimension's outermost: x padded to 4x4 with -1, .reshape(2,2,2,2).transpose(2,0,1,3), by hand.
// PACKS: dense<{{\[\[\[\[}}0, 1], [4, 5]], {{\[\[}}8, 9], [-1, -1]]], {{\[\[\[}}2, 3], [6, 7]], {{\[\[}}10, 11], [-1, -1]]]]> : tensor<2x2x2x2xi32>
// PACKS-NEXT: dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
func.func @packs(%x: tensor<3x4xi32>) -> (tensor<2x2x2x2xi32>, tensor<3x4xi32>) {
  %m1 = arith.constant -1 : i32
  %e = tensor.empty() : tensor<2x2x2x2xi32>
  %p = tensor.pack %x padding_value(%m1 : i32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2]
      into %e : tensor<3x4xi32> -> tensor<2x2x2x2xi32>
  %f = tensor.empty() : tensor<3x4xi32>
  %u = tensor.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2]
      into %f : tensor<2x2x2x2xi32> -> tensor<3x4xi32>
  return %p, %u : tensor<2x2x2x2xi32>, tensor<3x4xi32>
}
