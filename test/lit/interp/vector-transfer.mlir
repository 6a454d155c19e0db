// RUN: mlc-opt %s --interpret --entry reads --input iota | FileCheck %s --check-prefix=READS
// RUN: mlc-opt %s --interpret --entry writes --input zeros | FileCheck %s --check-prefix=WRITES
// Transfers of a 3x4 memref of 0..11, by hand: past the edge comes the padding; a permuted map reads columns; masked lanes
// give the padding and are not written.
// READS: dense<{{\[\[}}5, 6, 7, -1], [9, 10, 11, -1], [-1, -1, -1, -1]]> : vector<3x4xi32>
// READS-NEXT: dense<{{\[\[}}0, 4], [1, 5], [2, 6]]> : vector<3x2xi32>
// READS-NEXT: dense<{{\[\[}}4, 5, 6, 7], [4, 5, 6, 7]]> : vector<2x4xi32>
// READS-NEXT: dense<[4, 5, -1, -1]> : vector<4xi32>
// READS-NEXT: dense<[2, 11, -1]> : vector<3xi32>
func.func @reads(%m: memref<3x4xi32>) -> (vector<3x4xi32>, vector<3x2xi32>, vector<2x4xi32>, vector<4xi32>, vector<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant -1 : i32
  %a = vector.transfer_read %m[%c1, %c1], %pad : memref<3x4xi32>, vector<3x4xi32>
  %b = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
      : memref<3x4xi32>, vector<3x2xi32>
  %c = vector.transfer_read %m[%c1, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>}
      : memref<3x4xi32>, vector<2x4xi32>
  %two = vector.create_mask %c2 : vector<4xi1>
  %d = vector.transfer_read %m[%c1, %c0], %pad, %two {in_bounds = [true]} : memref<3x4xi32>, vector<4xi32>
  %lanes = arith.constant dense<[2, 11, 0]> : vector<3xi32>
  %some = vector.create_mask %c2 : vector<3xi1>
  %pass = arith.constant dense<-1> : vector<3xi32>
  %flat = memref.collapse_shape %m [[0, 1]] : memref<3x4xi32> into memref<12xi32>
  %g = vector.gather %flat[%c0] [%lanes], %some, %pass
      : memref<12xi32>, vector<3xi32>, vector<3xi1>, vector<3xi32> into vector<3xi32>
  return %a, %b, %c, %d, %g : vector<3x4xi32>, vector<3x2xi32>, vector<2x4xi32>, vector<4xi32>, vector<3xi32>
}
// WRITES: dense<{{\[\[}}0, 0, 0, 0], [0, 1, 3, 0], [0, 2, 4, 9]]> : tensor<3x4xi32>
func.func @writes(%m: memref<3x4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %w = arith.constant dense<[9, 8, 7]> : vector<3xi32>
  %u = arith.constant dense<[5, 6]> : vector<2xi32>
  %off = arith.constant dense<false> : vector<2xi1>
  vector.transfer_write %v, %m[%c1, %c1] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
      : vector<2x2xi32>, memref<3x4xi32>
  vector.transfer_write %w, %m[%c2, %c3] : vector<3xi32>, memref<3x4xi32>
  vector.maskedstore %m[%c1, %c1], %off, %u : memref<3x4xi32>, vector<2xi1>, vector<2xi32>
  return
}
