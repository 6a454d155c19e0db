// RUN: mlc-opt %s --amx-registers --convert-scf-to-cf --convert-to-llvm --target=x86-64-v4-amx | mlc-translate --export-asm --target=x86-64-v4-amx | FileCheck %s
// The loop has two loads and a product, and nothing else of tiles: registers are configured before it, and released behind the store.
// CHECK-LABEL: sums:
// CHECK: ldtilecfg
// CHECK: tilezero %tmm0
// CHECK: tileloadd {{.*}}, %tmm1
// CHECK: tileloadd {{.*}}, %tmm2
// CHECK: tdpbusd %tmm2, %tmm1, %tmm0
// CHECK: tilestored %tmm0
// CHECK: tilerelease
// CHECK-LABEL: signs:
// CHECK: tdpbssd
// CHECK: tdpbsud
// CHECK: tdpbuud
func.func @sums(%x: memref<16x?xi8>, %w: memref<?x64xi8>, %y: memref<16x16xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = amx.tile_zero : vector<16x16xi32>
  %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<16x16xi32>) {
    %byte = arith.muli %k, %c4 : index
    %a = amx.tile_load %x[%c0, %byte] : memref<16x?xi8> into vector<16x64xi8>
    %b = amx.tile_load %w[%k, %c0] : memref<?x64xi8> into vector<16x64xi8>
    %next = amx.tile_muli %a zext, %b, %acc : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
    scf.yield %next : vector<16x16xi32>
  }
  amx.tile_store %y[%c0, %c0], %sum : memref<16x16xi32>, vector<16x16xi32>
  return
}
func.func @signs(%x: memref<16x64xi8>, %w: memref<16x64xi8>, %y: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  %zero = amx.tile_zero : vector<16x16xi32>
  %a = amx.tile_load %x[%c0, %c0] : memref<16x64xi8> into vector<16x64xi8>
  %b = amx.tile_load %w[%c0, %c0] : memref<16x64xi8> into vector<16x64xi8>
  %0 = amx.tile_muli %a, %b, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %1 = amx.tile_muli %a, %b zext, %0 : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %2 = amx.tile_muli %a zext, %b zext, %1 : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %2 : memref<16x16xi32>, vector<16x16xi32>
  return
}
