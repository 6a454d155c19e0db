// RUN: mlc-opt %s --decompose-pad=keep-clippable --split-input-file | FileCheck %s
// Padding of bytes that changes nothing is left to its reader: zero to products, the least number to maxima. A zero point is made.
// CHECK-LABEL: func.func @maximum
// CHECK: tensor.pad
#x = affine_map<(o, c, k) -> (o + k, c)>
#k = affine_map<(o, c, k) -> (k)>
#y = affine_map<(o, c, k) -> (o, c)>
func.func @maximum(%x: tensor<6x4xi8>, %w: tensor<3xi8>) -> tensor<6x4xi8> {
  %zero = arith.constant 0 : i8
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<6x4xi8> to tensor<8x4xi8>
  %e = tensor.empty() : tensor<6x4xi8>
  %start = linalg.fill ins(%zero : i8) outs(%e : tensor<6x4xi8>) -> tensor<6x4xi8>
  %y = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<8x4xi8>, tensor<3xi8>) outs(%start : tensor<6x4xi8>) {
  ^bb0(%a: i8, %b: i8, %m: i8):
    %0 = arith.maxui %m, %a : i8
    linalg.yield %0 : i8
  } -> tensor<6x4xi8>
  return %y : tensor<6x4xi8>
}

// -----

// CHECK-LABEL: func.func @zero_point
// CHECK-NOT: tensor.pad
// CHECK: tensor.insert_slice
#x = affine_map<(o, c, k) -> (o + k, c)>
#k = affine_map<(o, c, k) -> (k, c)>
#y = affine_map<(o, c, k) -> (o, c)>
func.func @zero_point(%x: tensor<6x4xi8>, %w: tensor<3x4xi8>, %start: tensor<6x4xi32>) -> tensor<6x4xi32> {
  %seven = arith.constant 7 : i8
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : i8
  } : tensor<6x4xi8> to tensor<8x4xi8>
  %y = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<8x4xi8>, tensor<3x4xi8>) outs(%start : tensor<6x4xi32>) {
  ^bb0(%a: i8, %b: i8, %m: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %m, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<6x4xi32>
  return %y : tensor<6x4xi32>
}
