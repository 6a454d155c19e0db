// RUN: mlc-opt %s --interpret --entry f --input -7 --input 5 | FileCheck %s
// RUN: mlc-opt %s --lower-affine --interpret --entry f --input -7 --input 5 | FileCheck %s
// -7 floordiv 5 = -2, -7 mod 5 = 3, -7 ceildiv 5 = -1; sum = 0, times 10, plus the loop's 0 + 2 + 4 = 6.
// CHECK: 6
func.func @f(%a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  %x = affine.apply affine_map<(d0) -> ((d0 floordiv 5 + d0 mod 5 + d0 ceildiv 5) * 10)>(%a)
  %s = affine.for %i = 0 to %b step 2 iter_args(%acc = %c0) -> (index) {
    %n = arith.addi %acc, %i : index
    affine.yield %n : index
  }
  %r = arith.addi %x, %s : index
  return %r : index
}
