// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s --mlir-print-op-generic | mlc-opt | FileCheck %s
// Products of a warp, and copies: groups of operands in the order of the text.
// CHECK-LABEL: func.func @products
func.func @products(%s: memref<128x32xf16, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>, %meta: vector<2xi16>) {
  // CHECK: nvgpu.ldmatrix %{{.*}}[%{{.*}}, %{{.*}}] {numTiles = 4 : i32, transpose = false} : memref<128x32xf16, 3> -> vector<4x2xf16>
  %0 = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<128x32xf16, 3> -> vector<4x2xf16>
  // CHECK: nvgpu.mma.sync(%{{.*}}, %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %1 = nvgpu.mma.sync(%0, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  // CHECK: nvgpu.mma.sp.sync(%{{.*}}, %{{.*}}, %{{.*}}) metadata(%{{.*}}) {mmaShape = [16, 8, 32]}
  %2 = nvgpu.mma.sp.sync(%a, %a, %1) metadata(%meta) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}

// CHECK-LABEL: func.func @copies
func.func @copies(%s: memref<128x32xf16, 3>, %g: memref<128x32xf16>, %i: index) {
  // CHECK: nvgpu.device_async_copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[%{{.*}}, %{{.*}}], 8 {bypassL1} : memref<128x32xf16> to memref<128x32xf16, 3>
  %0 = nvgpu.device_async_copy %g[%i, %i], %s[%i, %i], 8 {bypassL1} : memref<128x32xf16> to memref<128x32xf16, 3>
  // CHECK: nvgpu.device_async_copy %{{.*}}, 8, %{{.*}} : memref
  %1 = nvgpu.device_async_copy %g[%i, %i], %s[%i, %i], 8, %i : memref<128x32xf16> to memref<128x32xf16, 3>
  // CHECK: nvgpu.device_async_create_group %{{.*}}, %{{.*}}
  %2 = nvgpu.device_async_create_group %0, %1
  // CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 1 : i32}
  nvgpu.device_async_wait %2 {numGroups = 1 : i32}
  return
}
