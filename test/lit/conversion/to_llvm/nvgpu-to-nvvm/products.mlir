// RUN: mlc-opt %s --convert-nvgpu-to-nvvm --split-input-file | FileCheck %s
// Registers of a lane: f16 pairs stay, of other types they are the integers of their bits; sums are scalars.

// CHECK-LABEL: func.func @halves
func.func @halves(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  // CHECK-COUNT-6: llvm.extractvalue %{{.*}} : !llvm.array<{{[24]}} x vector<2xf16>>
  // CHECK: nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
  // CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.array<2 x vector<2xf32>>
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// -----

// CHECK-LABEL: func.func @rounded
func.func @rounded(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  // CHECK-COUNT-6: llvm.bitcast %{{.*}} : vector<1xf32> to i32
  // CHECK: nvvm.mma.sync
  // CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<tf32>
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// -----

// CHECK-LABEL: func.func @bytes
func.func @bytes(%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  // CHECK: nvvm.mma.sync
  // CHECK-SAME: intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>
  // CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<s8>
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  return %0 : vector<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @wrapping
func.func @wrapping(%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  // CHECK: nvvm.mma.sync
  // CHECK-SAME: intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>
  %0 = nvgpu.mma.sync(%a, %b, %c) {mlc.wraps, mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  return %0 : vector<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @matrices
func.func @matrices(%s: memref<128x32xf16, 3>, %i: index) -> vector<4x2xf16> {
  // CHECK: %[[R:.*]] = nvvm.ldmatrix %{{.*}} {layout = #nvvm.mma_layout<col>, num = 4 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  // CHECK: llvm.extractvalue %[[R]][0]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  %0 = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = true} : memref<128x32xf16, 3> -> vector<4x2xf16>
  return %0 : vector<4x2xf16>
}
