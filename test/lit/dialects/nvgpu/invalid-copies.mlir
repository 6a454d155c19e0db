// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @space(%d: memref<16xf32>, %s: memref<16xf32>, %i: index) {
  // expected-error@+1 {{destination memref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)}}
  nvgpu.device_async_copy %s[%i], %d[%i], 4 : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @types(%d: memref<16xi32, 3>, %s: memref<16xf32>, %i: index) {
  // expected-error@+1 {{source and destination must have the same element type}}
  nvgpu.device_async_copy %s[%i], %d[%i], 4 : memref<16xf32> to memref<16xi32, 3>
  return
}

// -----

func.func @source_indices(%d: memref<16xf32, 3>, %s: memref<16x16xf32>, %i: index) {
  // expected-error@+1 {{expected 2 source indices, got 1}}
  nvgpu.device_async_copy %s[%i], %d[%i], 4 : memref<16x16xf32> to memref<16xf32, 3>
  return
}

// -----

func.func @destination_indices(%d: memref<16x16xf32, 3>, %s: memref<16xf32>, %i: index) {
  // expected-error@+1 {{expected 2 destination indices, got 1}}
  nvgpu.device_async_copy %s[%i], %d[%i], 4 : memref<16xf32> to memref<16x16xf32, 3>
  return
}

// -----

func.func @source_stride(%d: memref<16xf32, 3>, %s: memref<16xf32, strided<[2]>>, %i: index) {
  // expected-error@+1 {{source memref most minor dim must have unit stride}}
  nvgpu.device_async_copy %s[%i], %d[%i], 4 : memref<16xf32, strided<[2]>> to memref<16xf32, 3>
  return
}

// -----

func.func @destination_stride(%d: memref<16xf32, strided<[2]>, 3>, %s: memref<16xf32>, %i: index) {
  // expected-error@+1 {{destination memref most minor dim must have unit stride}}
  nvgpu.device_async_copy %s[%i], %d[%i], 4 : memref<16xf32> to memref<16xf32, strided<[2]>, 3>
  return
}

// -----

func.func @size(%d: memref<16xf32, 3>, %s: memref<16xf32>, %i: index) {
  // expected-error@+1 {{Requested copy elements is 3 with width 32. But copy elements could be one of 1, 2, 4.}}
  nvgpu.device_async_copy %s[%i], %d[%i], 3 : memref<16xf32> to memref<16xf32, 3>
  return
}

// -----

func.func @bypass(%d: memref<16xf32, 3>, %s: memref<16xf32>, %i: index) {
  // expected-error@+1 {{bypassL1 does not satify alignment for 'memref<16xf32, 3>' with destination element 1. Unset bypassL1, or set destination element to 4}}
  nvgpu.device_async_copy %s[%i], %d[%i], 1 {bypassL1} : memref<16xf32> to memref<16xf32, 3>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
func.func @tile_space(%g: memref<*xf32>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor has incorrect address space, it must be shared memory address space.}}
  %0 = nvgpu.tma.create.descriptor %g box[%i, %i] : memref<*xf32> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<?x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
func.func @tile_dynamic(%g: memref<*xf32>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor must be static shaped}}
  %0 = nvgpu.tma.create.descriptor %g box[%i, %i] : memref<*xf32> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<512x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
func.func @tile_tall(%g: memref<*xf32>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor must have dimensions between 1 and 256 but it is 512}}
  %0 = nvgpu.tma.create.descriptor %g box[%i, %i] : memref<*xf32> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x128xf16, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
func.func @tile_wide(%g: memref<*xf16>, %i: index) {
  // expected-error@+1 {{the tensormap descriptor must have last dimension of 128 bytes but it is 256 bytes}}
  %0 = nvgpu.tma.create.descriptor %g box[%i, %i] : memref<*xf16> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
func.func @coordinates(%g: memref<*xf32>, %i: index) {
  // expected-error@+1 {{Maximum 5 coordinates are supported.}}
  %0 = nvgpu.tma.create.descriptor %g box[%i, %i, %i, %i, %i, %i] : memref<*xf32> -> !map
  return
}
