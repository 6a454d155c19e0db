// RUN: mlc-opt %s --vector-dot-products --canonicalize --convert-to-llvm --target=x86-64-v4-vnni | mlc-translate --export-asm --target=x86-64-v4-vnni | FileCheck %s --check-prefix=AVX512
// RUN: mlc-opt %s --vector-dot-products --canonicalize --convert-to-llvm --target=x86-64-v3-vnni | mlc-translate --export-asm --target=x86-64-v3-vnni | FileCheck %s --check-prefix=AVX
// RUN: mlc-opt %s --vector-dot-products --canonicalize --convert-to-llvm --target=x86-64-v3 | mlc-translate --export-asm --target=x86-64-v3 | FileCheck %s --check-prefix=NONE
// RUN: mlc-opt %s --vector-dot-products --canonicalize --convert-to-llvm --target=aarch64-dotprod | mlc-translate --export-asm --target=aarch64-dotprod | FileCheck %s --check-prefix=SDOT
// Bytes by bytes, added up by the instruction that each machine has; written out where it has none, or one of other signs.
// AVX512-LABEL: mixed:
// AVX512: vpdpbusd {{.*}}%ymm
// AVX-LABEL: mixed:
// AVX: {vex} vpdpbusd {{.*}}%ymm
// NONE-NOT: vpdpbusd
// SDOT-LABEL: mixed:
// SDOT-NOT: sdot
// SDOT-LABEL: signed:
// SDOT: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
#one = affine_map<(n, q) -> (q)>
#all = affine_map<(n, q) -> (n, q)>
#sum = affine_map<(n, q) -> (n)>
func.func @mixed(%run: vector<4xi8>, %own: vector<32xi8>, %acc: vector<8xi32>) -> vector<8xi32> {
  %a = arith.extui %run : vector<4xi8> to vector<4xi32>
  %r = vector.shape_cast %own : vector<32xi8> to vector<8x4xi8>
  %b = arith.extsi %r : vector<8x4xi8> to vector<8x4xi32>
  %y = vector.contract {indexing_maps = [#one, #all, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %acc : vector<4xi32>, vector<8x4xi32> into vector<8xi32>
  return %y : vector<8xi32>
}
func.func @signed(%run: vector<4xi8>, %own: vector<16xi8>, %acc: vector<4xi32>) -> vector<4xi32> {
  %a = arith.extsi %run : vector<4xi8> to vector<4xi32>
  %r = vector.shape_cast %own : vector<16xi8> to vector<4x4xi8>
  %b = arith.extsi %r : vector<4x4xi8> to vector<4x4xi32>
  %y = vector.contract {indexing_maps = [#one, #all, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %acc : vector<4xi32>, vector<4x4xi32> into vector<4xi32>
  return %y : vector<4xi32>
}
