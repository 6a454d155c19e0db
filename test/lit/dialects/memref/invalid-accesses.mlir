// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Accesses have an index for each dimension, and the elements of their memory.
func.func @realloc_layout(%m: memref<8xf32, strided<[2]>>) {
  // expected-error @below {{unsupported layout for source memref type 'memref<8xf32, strided<[2]>>'}}
  %0 = "memref.realloc"(%m) : (memref<8xf32, strided<[2]>>) -> memref<16xf32>
  return
}

// -----

func.func @realloc_result(%m: memref<8xf32>) {
  // expected-error @below {{unsupported layout for result memref type 'memref<16xf32, strided<[2]>>'}}
  %0 = "memref.realloc"(%m) : (memref<8xf32>) -> memref<16xf32, strided<[2]>>
  return
}

// -----

func.func @realloc_space(%m: memref<8xf32, 1>) {
  // expected-error @below {{different memory spaces specified for source memref type 'memref<8xf32, 1>' and result memref type 'memref<16xf32>'}}
  %0 = "memref.realloc"(%m) : (memref<8xf32, 1>) -> memref<16xf32>
  return
}

// -----

func.func @realloc_element(%m: memref<8xf32>) {
  // expected-error @below {{different element types specified for source memref type 'memref<8xf32>' and result memref type 'memref<16xf64>'}}
  %0 = "memref.realloc"(%m) : (memref<8xf32>) -> memref<16xf64>
  return
}

// -----

func.func @alignment(%m: memref<8xf32>) {
  // expected-error @below {{'memref.assume_alignment' op alignment must be power of 2}}
  "memref.assume_alignment"(%m) <{alignment = 3 : i32}> : (memref<8xf32>) -> ()
  return
}

// -----

func.func @store(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'memref.store' op store index operand count not equal to memref rank}}
  "memref.store"(%x, %m, %i) : (f32, memref<8x8xf32>, index) -> ()
  return
}

// -----

func.func @prefetch(%m: memref<8x8xf32>, %i: index) {
  // expected-error @below {{'memref.prefetch' op too few indices}}
  "memref.prefetch"(%m, %i) <{isDataCache = true, isWrite = true, localityHint = 1 : i32}> : (memref<8x8xf32>, index) -> ()
  return
}

// -----

func.func @atomic_args(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{'memref.generic_atomic_rmw' op expected single number of entry block arguments}}
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%a: f32, %b: f32):
    "memref.atomic_yield"(%a) : (f32) -> ()
  }) : (memref<8xf32>, index) -> f32
  return
}

// -----

func.func @atomic_effects(%m: memref<8xf32>, %i: index) {
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%a: f32):
  // expected-error @below {{body of 'memref.generic_atomic_rmw' should contain only operations with no side effects}}
    "memref.store"(%a, %m, %i) : (f32, memref<8xf32>, index) -> ()
    "memref.atomic_yield"(%a) : (f32) -> ()
  }) : (memref<8xf32>, index) -> f32
  return
}

// -----

func.func @atomic_yield(%m: memref<8xf32>, %i: index, %x: f64) {
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%a: f32):
  // expected-error @below {{'memref.atomic_yield' op types mismatch between yield op: 'f64' and its parent: 'f32'}}
    "memref.atomic_yield"(%x) : (f64) -> ()
  }) : (memref<8xf32>, index) -> f32
  return
}

// -----

func.func @prefetch_kind(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{custom op 'memref.prefetch' rw specifier has to be 'read' or 'write'}}
  memref.prefetch %m[%i], touch, locality<3>, data : memref<8xf32>
  return
}

// -----

func.func @prefetch_cache(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{custom op 'memref.prefetch' cache type has to be 'data' or 'instr'}}
  memref.prefetch %m[%i], read, locality<3>, disk : memref<8xf32>
  return
}
