// RUN: mlc-opt %s --split-input-file --verify-diagnostics
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @space(%m: !map, %b: !bar, %d: memref<32x32xf32>, %i: index) {
  // expected-error@+1 {{the destination memref has incorrect address space, it must be shared memory address space}}
  nvgpu.tma.async.load %m[%i, %i], %b[%i] to %d : !map, !bar -> memref<32x32xf32>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @element(%m: !map, %b: !bar, %d: memref<32x32xi32, 3>, %i: index) {
  // expected-error@+1 {{the element type of tensor map descriptor and memref must be same}}
  nvgpu.tma.async.load %m[%i, %i], %b[%i] to %d : !map, !bar -> memref<32x32xi32, 3>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @rank(%m: !map, %b: !bar, %d: memref<128xf32, 3>, %i: index) {
  // expected-error@+1 {{the shape of tensor map descriptor and memref must have same rank}}
  nvgpu.tma.async.load %m[%i, %i], %b[%i] to %d : !map, !bar -> memref<128xf32, 3>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @shape(%m: !map, %b: !bar, %d: memref<16x32xf32, 3>, %i: index) {
  // expected-error@+1 {{memref and tensor map shapes mismatch memref<16x32xf32, 3> != memref<32x32xf32, 3>}}
  nvgpu.tma.async.load %m[%i, %i], %b[%i] to %d : !map, !bar -> memref<16x32xf32, 3>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>
func.func @swizzle(%m: !map, %d: memref<64x64xf16, 3>) {
  // expected-error@+1 {{supports only swizzle_128b is supported for the time being}}
  %0 = nvgpu.warpgroup.generate.descriptor %d, %m : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @other_tile(%m: !map, %d: memref<64x64xf16, 3>) {
  // expected-error@+1 {{memref and the tensor of the descriptor must be of one type}}
  %0 = nvgpu.warpgroup.generate.descriptor %d, %m : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<32x64xf16, 3>>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @flat(%m: !map, %d: memref<64xf16, 3>) {
  // expected-error@+1 {{supports only 2d memref is supported for now}}
  %0 = nvgpu.warpgroup.generate.descriptor %d, %m : memref<64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<64xf16, 3>>
  return
}

// -----

!a = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<32x128xf16, 3>>
!c = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @depth(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{2nd dim matrix-A ( 64 )!= 1st dim matrix-B ( 32 )}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !c -> !c
  return
}

// -----

!a = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!c = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @rows(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{1st dim matrix-A ( 64 )!= 1st dim matrix-C ( 128 )}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !c -> !c
  return
}

// -----

!a = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x121xf16, 3>>
!c = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @columns(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{2nd dim matrix-B ( 121 ) != 2nd dim matrix-C ( 128 )}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !c -> !c
  return
}

// -----

!a = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf32, 3>>
!c = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @types(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{'f32' += 'f16' * 'f32', it is not supported.}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !c -> !c
  return
}

// -----

!a = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!c = !nvgpu.warpgroup.accumulator<fragmented = vector<128xf32>>
func.func @ranks(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{has matrices A, B, C and D, they must be 2 dimensional}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !c -> !c
  return
}

// -----

!a = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!c = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
!d = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf16>>
func.func @sums(%a: !a, %c: !c) {
  // expected-error@+1 {{type of matrix C and matrix D must be the same}}
  %0 = nvgpu.warpgroup.mma %a, %a, %c : !a, !a, !c -> !d
  return
}

// -----

!c = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
func.func @store(%c: !c, %g: memref<64x32xf32>) {
  // expected-error@+1 {{'memref<64x32xf32>' does not hold an accumulator of 'vector<64x64xf32>'}}
  nvgpu.warpgroup.mma.store %c, %g : !c to memref<64x32xf32>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = interleave_16b>
func.func @interleaved(%m: !map, %d: memref<64x64xf16, 3>) {
  // expected-error@+1 {{supports only interleave_none is supported for the time being}}
  %0 = nvgpu.warpgroup.generate.descriptor %d, %m : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  return
}
