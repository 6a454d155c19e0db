// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// Launches that no device could start, and ops that need one.

func.func @f() -> index {
  // expected-error@+1 {{'gpu.thread_id' op runs outside a kernel launch}}
  %0 = gpu.thread_id x
  return %0 : index
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'gpu.launch' op declares memory of a shape that is not static}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) workgroup(%w : memref<?xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'gpu.launch' op needs more bytes for 'memref<4294967296x4294967296xf32, #gpu.address_space<workgroup>>' than can be counted}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) workgroup(%w : memref<4294967296x4294967296xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'gpu.launch' op launches 1 blocks of 0 threads in dimension 1}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c0, %sz = %c1) {
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-error@+1 {{'gpu.launch' op launches blocks of 4096 threads, more than 1024}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c64, %sz = %c1) {
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  %big = arith.constant 4294967296 : index
  // expected-error@+1 {{'gpu.launch' op launches more blocks than can be counted}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %big, %gy = %big, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    func.func @kernel() attributes {gpu.kernel} {
      return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'gpu.launch_func' op launches a kernel of fewer arguments}}
    gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c1 : index)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    func.func private @kernel() attributes {gpu.kernel}
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'gpu.launch_func' op launches a kernel that has no body}}
    gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %i = arith.constant 1 : i32
    %width = arith.constant 3 : i32
    // expected-error@+1 {{'gpu.shuffle' op has a width of 3 lanes}}
    %v, %valid = gpu.shuffle xor %i, %i, %width : i32
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = arith.constant dense<1.0> : vector<2xf32>
    // expected-error@+1 {{'gpu.subgroup_reduce' op reduces vectors, which the interpreter does not know}}
    %0 = gpu.subgroup_reduce add %x : (vector<2xf32>) -> vector<2xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{'gpu.dynamic_shared_memory' op asks for dynamic memory of a launch that has none}}
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = gpu.alloc (%c2) : memref<?xf32>
  %b = gpu.alloc (%c3) : memref<?xf32>
  // expected-error@+1 {{'gpu.memcpy' op copies between memrefs of different sizes}}
  gpu.memcpy %a, %b : memref<?xf32>, memref<?xf32>
  return
}

// -----

func.func @f() {
  %big = arith.constant 4294967296 : index
  // expected-error@+1 {{'gpu.alloc' op needs more bytes for 'memref<?x?xf32>' than can be counted}}
  %a = gpu.alloc (%big, %big) : memref<?x?xf32>
  return
}
