// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Kernels, launches and the attributes of both.

func.func @unnamed(%c: index) {
  // expected-error@+1 {{custom op 'gpu.launch' needs to be named when marked 'async'}}
  gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c, %gy = %c, %gz = %c) threads(%tx, %ty, %tz) in (%sx = %c, %sy = %c, %sz = %c) {
    gpu.terminator
  }
  return
}

// -----

func.func @unnamed() {
  // expected-error@+1 {{needs to be named when marked 'async'}}
  gpu.wait async
  return
}

// -----

func.func @attribution(%c: index) {
  // expected-error@+1 {{'gpu.launch' op expected memref type in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c, %gy = %c, %gz = %c) threads(%tx, %ty, %tz) in (%sx = %c, %sy = %c, %sz = %c) private(%w : f32) {
    gpu.terminator
  }
  return
}

// -----

func.func @end(%c: index) {
  // expected-note@+1 {{in 'gpu.launch' body region}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c, %gy = %c, %gz = %c) threads(%tx, %ty, %tz) in (%sx = %c, %sy = %c, %sz = %c) {
    // expected-error@+1 {{expected 'gpu.terminator' or a terminator with successors}}
    "gpu.yield"() : () -> ()
  }
  return
}

// -----

func.func @no_yield(%x: f32) {
  // expected-error@+1 {{expected gpu.yield op in region}}
  %0 = "gpu.all_reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    "cf.br"()[^again] : () -> ()
  ^again:
    "cf.br"()[^again] : () -> ()
  }) : (f32) -> f32
  return
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected void return type for kernel function}}
  gpu.func @kernel() -> f32 kernel {
    %0 = arith.constant 1.0 : f32
    gpu.return %0 : f32
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected body with at least one block}}
  "gpu.func"() <{function_type = () -> ()}> ({
  }) {sym_name = "empty"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected at least 1 arguments to body region}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
    "gpu.return"() : () -> ()
  }) {sym_name = "count"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected body region argument #0 to be of type 'f32', got 'i32'}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  ^bb0(%a: i32):
    "gpu.return"() : () -> ()
  }) {sym_name = "type"} : () -> ()
}

// -----

gpu.module @m {
  gpu.func @result(%x: i32) -> f32 {
    // expected-error@+1 {{'gpu.return' op unexpected type `'i32'' for operand #0}}
    gpu.return %x : i32
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @clusters(%c: index, %d: i32) {
    // expected-error@+1 {{'gpu.launch_func' op expects types of the cluster dimensions must be the same}}
    "gpu.launch_func"(%c, %c, %c, %c, %c, %c, %c, %d, %d) <{kernel = @k::@f, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (index, index, index, index, index, index, index, i32, i32) -> ()
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op got 1 kernel operands but expected 0}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%c : index)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @k()
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op kernel module 'k' is undefined}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
  }
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op kernel function '@k::@f' is undefined}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // expected-note@+1 {{see the kernel definition here}}
    llvm.mlir.global internal @f(1 : i32) : i32
  }
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op referenced kernel '@k::@f' is not a function}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f() {
      gpu.return
    }
  }
  func.func @a(%c: index) {
    // expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}

// -----

// expected-error@+1 {{expected 'gpu.container_module' attribute to be attached to 'builtin.module'}}
func.func @f() attributes {gpu.container_module} {
  return
}

// -----

// expected-error@+2 {{expected '='}}
// expected-error@+1 {{expected an equal sign}}
gpu.binary @a [#gpu.object<#nvvm.target, bin "x">]

// -----

// expected-error@+1 {{the target attribute must implement or promise the `gpu::TargetAttrInterface`}}
gpu.binary @a [#gpu.object<1 : i32, bin = "x">]

// -----

// expected-error@+1 {{the target attribute must be a GPU Target attribute}}
gpu.binary @a <#gpu.select_object<"x">> [#gpu.object<#nvvm.target, bin = "x">]

// -----

// expected-error@+1 {{the object index must be positive}}
gpu.binary @a <#gpu.select_object<-1>> [#gpu.object<#nvvm.target, bin = "x">]

// -----

func.func @stride(%m: memref<16x16xf32, strided<[1, 16]>>, %i: index, %x: !gpu.mma_matrix<16x16xf32, "COp">) {
  // expected-error@+1 {{expected destination memref most minor dim must have unit stride}}
  gpu.subgroup_mma_store_matrix %x, %m[%i, %i] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32, strided<[1, 16]>>
  return
}
