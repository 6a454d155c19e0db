// RUN: mlc-opt %s -split-input-file -verify-diagnostics
func.func @both(%a: f32) {
  // expected-error@+1 {{expected either an op attribute or a non-empty body}}
  %0 = gpu.all_reduce add %a {
  ^bb(%l: f32, %r: f32):
    gpu.yield %l : f32
  } : (f32) -> f32
  return
}
// -----
func.func @kind(%a: f32) {
  // expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.all_reduce and %a {} : (f32) -> f32
  return
}
// -----
func.func @scalable(%a: vector<[4]xf32>) {
  // expected-error@+1 {{'gpu.subgroup_reduce' op is not compatible with scalable vector types}}
  %0 = gpu.subgroup_reduce add %a : (vector<[4]xf32>) -> vector<[4]xf32>
  return
}
// -----
func.func @space(%c: index) {
  // expected-error@+1 {{'gpu.launch' op expected memory space private in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c, %gy = %c, %gz = %c) threads(%tx, %ty, %tz) in (%sx = %c, %sy = %c, %sz = %c) private(%w : memref<4xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  return
}
// -----
func.func @container(%c: index) {
  // expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
  return
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%a: f32) kernel {
      gpu.return
    }
  }
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op type of function argument 0 does not match}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%c : index)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op kernel container 'k' is undefined}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}
// -----
gpu.module @k {
  // expected-note@+1 {{return type declared here}}
  gpu.func @f() -> f32 {
    // expected-error@+1 {{'gpu.return' op expected 1 result operands}}
    gpu.return
  }
}
// -----
func.func @shapes(%m: memref<4xf32>, %n: memref<5xf32>) {
  // expected-error@+1 {{'gpu.memcpy' op arguments have incompatible shape}}
  gpu.memcpy %m, %n : memref<4xf32>, memref<5xf32>
  return
}
// -----
func.func @sizes() {
  // expected-error@+1 {{'gpu.alloc' op dimension operand count does not equal memref dynamic dimension count}}
  %0 = gpu.alloc () : memref<?xf32>
  return
}
// -----
// expected-error@+1 {{MMAMatrixType elements must be SI8, UI8, I32, F16, or F32}}
func.func private @element(!gpu.mma_matrix<16x16xf64, "AOp">)
// -----
func.func @order(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">) {
  // expected-error@+1 {{operands must be in the order AOp, BOp, COp}}
  %0 = gpu.subgroup_mma_compute %a, %a, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "AOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}

// -----
// expected-error@+1 {{expected attribute value}}
gpu.binary @a #gpu.object<, "x">
