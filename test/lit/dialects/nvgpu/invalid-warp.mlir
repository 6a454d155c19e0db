// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @space(%s: memref<128x128xf16>, %i: index) {
  // expected-error@+1 {{expected nvgpu.ldmatrix srcMemref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)}}
  %0 = nvgpu.ldmatrix %s[%i, %i] {transpose = false, numTiles = 4 : i32} : memref<128x128xf16> -> vector<4x2xf16>
  return
}

// -----

func.func @wide(%s: memref<128x128xf64, 3>, %i: index) {
  // expected-error@+1 {{nvgpu.ldmatrix works only at 32b or smaller}}
  %0 = nvgpu.ldmatrix %s[%i, %i] {transpose = false, numTiles = 4 : i32} : memref<128x128xf64, 3> -> vector<4x2xf64>
  return
}

// -----

func.func @transposed_words(%s: memref<128x128xf32, 3>, %i: index) {
  // expected-error@+1 {{nvgpu.ldmatrix transpose works only at 16b granularity}}
  %0 = nvgpu.ldmatrix %s[%i, %i] {transpose = true, numTiles = 4 : i32} : memref<128x128xf32, 3> -> vector<4x1xf32>
  return
}

// -----

func.func @flat(%s: memref<128x128xf32, 3>, %i: index) {
  // expected-error@+1 {{results must be 2 dimensional vector}}
  %0 = nvgpu.ldmatrix %s[%i, %i] {transpose = false, numTiles = 4 : i32} : memref<128x128xf32, 3> -> vector<4xf32>
  return
}

// -----

func.func @elements(%s: memref<128x128xf16, 3>, %i: index) {
  // expected-error@+1 {{expected vector register shape[1] = 2}}
  %0 = nvgpu.ldmatrix %s[%i, %i] {transpose = false, numTiles = 4 : i32} : memref<128x128xf16, 3> -> vector<4x1xf16>
  return
}

// -----

func.func @matrices(%s: memref<128x128xf16, 3>, %i: index) {
  // expected-error@+1 {{expected vector register shape[0] and numTiles to match}}
  %0 = nvgpu.ldmatrix %s[%i, %i] {transpose = false, numTiles = 4 : i32} : memref<128x128xf16, 3> -> vector<2x2xf16>
  return
}

// -----

func.func @left(%a: vector<4x4xf16>, %b: vector<2x2xf16>) {
  // expected-error@+1 {{expected 256 warp-wide matrix A elements}}
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 16]} : (vector<4x4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @shaped(%a: vector<2x4xf16>, %b: vector<2x2xf16>) {
  // expected-error@+1 {{expected matrix A to be shaped (4 x 2)}}
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 16]} : (vector<2x4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @rounded(%a: vector<4x2xf16>, %b: vector<2x2xf16>) {
  // expected-error@+1 {{expected tf32 tensor cores only for F32 operands}}
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @no_product(%a: vector<4x2xf16>, %b: vector<2x2xf16>) {
  // expected-error@+1 {{expected mmaShape of a product that the machine has}}
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 16, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @no_shape(%a: vector<4x2xf16>, %b: vector<2x2xf16>) {
  // expected-error@+1 {{expected mmaShape of three sizes}}
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @selector(%a: vector<2x2xf16>, %m: vector<2xi16>) {
  // expected-error@+1 {{sparsity selector should be 0 or 1}}
  %0 = nvgpu.mma.sp.sync(%a, %a, %a) metadata(%m) {mmaShape = [16, 8, 16], sparsitySelector = 42 : i32} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}
