// RUN: mlc-opt %s --convert-forall-to-gpu --split-input-file --verify-diagnostics
func.func @open(%n: index, %a: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    // expected-error@+1 {{expected a known number of iterations, of at most 1024 threads}}
    scf.forall (%t) in (%n) {
      memref.store %x, %a[%t] : memref<?xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @many(%a: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    // expected-error@+1 {{expected a known number of iterations, of at most 1024 threads}}
    scf.forall (%t) in (64) {
      memref.store %x, %a[%t] : memref<?xf32>
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @blocks(%a: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    // expected-error@+1 {{expected it to be mapped to threads, warps or warpgroups}}
    scf.forall (%t) in (64) {
      memref.store %x, %a[%t] : memref<?xf32>
    } {mapping = [#gpu.block<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @tensors(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has results: it has no buffers yet}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<4xf32>
}

// -----

func.func @nested(%a: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    scf.forall (%w) in (2) {
      // expected-error@+1 {{is inside a loop that is mapped to threads itself}}
      scf.forall (%t) in (32) {
        memref.store %x, %a[%t] : memref<?xf32>
      } {mapping = [#gpu.thread<x>]}
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @wide(%a: memref<8xf32>) {
  // expected-error@+1 {{has workgroup buffers of 2 GiB or more}}
  scf.forall (%i) in (8) {
    %row = memref.alloc() : memref<1073741824xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (8) {
      %x = memref.load %a[%t] : memref<8xf32>
      memref.store %x, %row[%t] : memref<1073741824xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
