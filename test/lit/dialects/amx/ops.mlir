// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s --mlir-print-op-generic | mlc-opt | FileCheck %s
// Every op, in its own form and the generic one.
func.func @f(%rows: memref<?x?xi8>, %panel: memref<?x?xi8>, %sums: memref<?x?xi32>, %h: memref<4x32x32xbf16>, %i: index) {
  // CHECK: %[[ZERO:.*]] = amx.tile_zero : vector<16x16xi32>
  %zero = amx.tile_zero : vector<16x16xi32>
  // CHECK: %[[A:.*]] = amx.tile_load %arg0[%arg4, %arg4] : memref<?x?xi8> into vector<16x64xi8>
  %a = amx.tile_load %rows[%i, %i] : memref<?x?xi8> into vector<16x64xi8>
  %b = amx.tile_load %panel[%i, %i] : memref<?x?xi8> into vector<16x64xi8>
  // CHECK: amx.tile_muli %[[A]], %[[B:.*]], %[[ZERO]] : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %0 = amx.tile_muli %a, %b, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  // CHECK: amx.tile_muli %[[A]] zext, %[[B]], %{{.*}} : vector
  %1 = amx.tile_muli %a zext, %b, %0 : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  // CHECK: amx.tile_muli %[[A]], %[[B]] zext, %{{.*}} : vector
  %2 = amx.tile_muli %a, %b zext, %1 : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  // CHECK: %[[SUM:.*]] = amx.tile_muli %[[A]] zext, %[[B]] zext, %{{.*}} : vector
  %3 = amx.tile_muli %a zext, %b zext, %2 : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  // CHECK: amx.tile_store %arg2[%arg4, %arg4], %[[SUM]] : memref<?x?xi32>, vector<16x16xi32>
  amx.tile_store %sums[%i, %i], %3 : memref<?x?xi32>, vector<16x16xi32>
  %c = amx.tile_load %h[%i, %i, %i] : memref<4x32x32xbf16> into vector<16x32xbf16>
  %real = amx.tile_zero : vector<16x16xf32>
  // CHECK: amx.tile_mulf %{{.*}}, %{{.*}}, %{{.*}} : vector<16x32xbf16>, vector<16x32xbf16>, vector<16x16xf32>
  %4 = amx.tile_mulf %c, %c, %real : vector<16x32xbf16>, vector<16x32xbf16>, vector<16x16xf32>
  return
}
