// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Bounds, subscripts, groups and transfers that do not go together.

func.func @dims(%n: index) {
  // expected-error@+1 {{custom op 'affine.for' dim operand count and affine map dim count must match}}
  affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n, %n) {
  }
  return
}

// -----

func.func @symbols(%n: index) {
  // expected-error@+1 {{custom op 'affine.for' symbol operand count and affine map symbol count must match}}
  affine.for %i = 0 to affine_map<()[s0] -> (s0)>() {
  }
  return
}

// -----

func.func @tensor(%t: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'affine.load' invalid kind of type specified}}
  %0 = affine.load %t[0] : tensor<4xf32>
  return
}

// -----

func.func @no_vector(%m: memref<4xf32>) {
  // expected-error@+1 {{custom op 'affine.vector_load' invalid kind of type specified}}
  %0 = affine.vector_load %m[0] : memref<4xf32>, f32
  return
}

// -----

func.func @bound() {
  // expected-error@+1 {{custom op 'affine.for' expected valid affine map representation for loop bounds}}
  affine.for %i = 0 to "ten" {
  }
  return
}

// -----

func.func @carried(%x: f32) {
  // expected-error@+1 {{custom op 'affine.for' mismatch between the number of loop-carried values and results}}
  %0:2 = affine.for %i = 0 to 10 iter_args(%a = %x) -> (f32, f32) {
    affine.yield %a : f32
  }
  return
}

// -----

func.func @step() {
  // expected-error@+1 {{custom op 'affine.for' expected step to be representable as a positive signed integer}}
  affine.for %i = 0 to 10 step -1 {
  }
  return
}

// -----

func.func @types(%m: memref<4xf32>, %t: memref<1xi32>, %n: index) {
  // expected-error@+1 {{custom op 'affine.dma_start' expected three types}}
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @no_map(%m: memref<4xf32>, %t: memref<1xi32>, %n: index) {
  // expected-error@+1 {{'affine.dma_start' op requires an affine map attribute named 'tag_map'}}
  "affine.dma_start"(%m, %n, %m, %n, %t, %n, %n) {dst_map = affine_map<(d0) -> (d0)>, src_map = affine_map<(d0) -> (d0)>} : (memref<4xf32>, index, memref<4xf32>, index, memref<1xi32>, index, index) -> ()
  return
}

// -----

func.func @empty_bound() {
  // expected-error@+1 {{'affine.for' op expected lower bound map to have at least one result}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> ()>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

func.func @groups() {
  // expected-error@+1 {{'affine.parallel' op expected lower bounds map to have 2 results}}
  "affine.parallel"() <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

func.func @negative_group() {
  // expected-error@+1 {{'affine.parallel' op expected each lower bound to be one result of its map at least}}
  "affine.parallel"() <{lowerBoundsGroups = dense<[2, -1]> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1, 1], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = affine_map<() -> (10, 10)>}> ({
  ^bb0(%i: index, %j: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

func.func @empty_group() {
  // expected-error@+1 {{'affine.parallel' op expected each lower bound to be one result of its map at least}}
  "affine.parallel"() <{lowerBoundsGroups = dense<[1, 0]> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1, 1], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = affine_map<() -> (10, 10)>}> ({
  ^bb0(%i: index, %j: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

func.func @yield() {
  // expected-error@+1 {{'affine.yield' op only terminates affine.if/for/parallel regions}}
  affine.yield
}

// -----

func.func @basis(%n: index) {
  // expected-error@+1 {{'affine.delinearize_index' op basis should not be empty}}
  "affine.delinearize_index"(%n) : (index) -> ()
  return
}
