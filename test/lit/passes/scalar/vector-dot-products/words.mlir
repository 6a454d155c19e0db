// RUN: mlc-opt %s --vector-dot-products --target=x86-64-v3 | FileCheck %s
// AVX2 has no sums of four products of bytes: bytes 0 and 2 of a run, and 1 and 3, are words of two vpmaddwd, by any signs.
// CHECK-LABEL: func.func @unsigned_by_signed
// CHECK: %[[ALL:.*]] = vector.broadcast %{{.*}} : i32 to vector<8xi32>
// CHECK: %[[WORDS:.*]] = vector.bitcast %[[ALL]] : vector<8xi32> to vector<16xi16>
// CHECK: %[[OWN:.*]] = vector.bitcast %arg1 : vector<32xi8> to vector<16xi16>
// CHECK: arith.andi %[[WORDS]]
// CHECK: arith.shli %[[OWN]]
// CHECK: arith.shrsi
// CHECK: %[[EVEN:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK: %[[SUM:.*]] = arith.addi %arg2, %[[EVEN]]
// CHECK: arith.shrui %[[WORDS]]
// CHECK: arith.shrsi %[[OWN]]
// CHECK: %[[ODD:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK: arith.addi %[[SUM]], %[[ODD]]
#one = affine_map<(n, q) -> (q)>
#all = affine_map<(n, q) -> (n, q)>
#sum = affine_map<(n, q) -> (n)>
func.func @unsigned_by_signed(%run: vector<4xi8>, %own: vector<32xi8>, %acc: vector<8xi32>) -> vector<8xi32> {
  %a = arith.extui %run : vector<4xi8> to vector<4xi32>
  %r = vector.shape_cast %own : vector<32xi8> to vector<8x4xi8>
  %b = arith.extsi %r : vector<8x4xi8> to vector<8x4xi32>
  %y = vector.contract {indexing_maps = [#one, #all, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %acc : vector<4xi32>, vector<8x4xi32> into vector<8xi32>
  return %y : vector<8xi32>
}
