// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// An access has a map for its memory.
func.func @load_type(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{'affine.load' op result type must match element type of memref}}
  %0 = "affine.load"(%m, %i) <{map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index) -> f64
  return
}

// -----

func.func @load_operands(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{'affine.load' op expects as many subscripts as affine map inputs}}
  %0 = "affine.load"(%m, %i) <{map = affine_map<(d0, d1) -> (d0)>}> : (memref<8xf32>, index) -> f32
  return
}

// -----

func.func @load_results(%m: memref<8x8xf32>) {
  %i = arith.constant 0 : index
  // expected-error @below {{'affine.load' op affine map num results must equal memref rank}}
  %0 = "affine.load"(%m, %i) <{map = affine_map<(d0) -> (d0)>}> : (memref<8x8xf32>, index) -> f32
  return
}

// -----

func.func @store_type(%m: memref<8xf32>, %x: f64) {
  %i = arith.constant 0 : index
  // expected-error @below {{'affine.store' op value to store must have the same type as memref element type}}
  "affine.store"(%x, %m, %i) <{map = affine_map<(d0) -> (d0)>}> : (f64, memref<8xf32>, index) -> ()
  return
}

// -----

func.func @apply(%i: index) {
  // expected-error @below {{'affine.apply' op mapping must produce one value}}
  %0 = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0, d0)>}> : (index) -> index
  return
}

// -----

func.func @prefetch_results(%m: memref<8x8xf32>) {
  %i = arith.constant 0 : index
  // expected-error @below {{'affine.prefetch' op affine.prefetch affine map num results must equal memref rank}}
  "affine.prefetch"(%m, %i) <{isDataCache = true, isWrite = false, localityHint = 3 : i32, map = affine_map<(d0) -> (d0)>}> : (memref<8x8xf32>, index) -> ()
  return
}

// -----

func.func @prefetch_operands(%m: memref<8xf32>) {
  // expected-error @below {{'affine.prefetch' op too few operands}}
  "affine.prefetch"(%m) <{isDataCache = true, isWrite = false, localityHint = 3 : i32, map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>) -> ()
  return
}

// -----

func.func @if_operands(%n: index) {
  // expected-error @below {{'affine.if' op operand count and condition integer set dimension and symbol count must match}}
  "affine.if"(%n, %n) ({
    "affine.yield"() : () -> ()
  }, {
  }) {condition = affine_set<(d0) : (d0 >= 0)>} : (index, index) -> ()
  return
}

// -----

func.func @if_condition(%n: index) {
  // expected-error @below {{'affine.if' op requires an integer set attribute named 'condition'}}
  "affine.if"(%n) ({
    "affine.yield"() : () -> ()
  }, {
  }) : (index) -> ()
  return
}

// -----

func.func @parallel_reductions() {
  // expected-error @below {{'affine.parallel' op a reduction must be specified for each output}}
  %0 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f32
    "affine.yield"(%x) : (f32) -> ()
  }) : () -> f32
  return
}

// -----

func.func @parallel_kind() {
  // expected-error @below {{'affine.parallel' op invalid reduction attribute}}
  %0 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [77], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f32
    "affine.yield"(%x) : (f32) -> ()
  }) : () -> f32
  return
}

// -----

func.func @yield_elsewhere() {
  // expected-error @below {{'affine.yield' op must be the last operation in the parent block}}
  "affine.yield"() : () -> ()
  return
}

// -----

func.func @for_syntax() {
  // expected-error @below {{custom op 'affine.for' expected 'to' between bounds}}
  affine.for %i = 0 upto 8 { }
  return
}

// -----

func.func @for_bound() {
  // expected-error @below {{floating point value not valid for specified type}}
  affine.for %i = 0 to 1.5 { }
  return
}

// -----

func.func @for_results(%n: index) {
  // expected-error @below {{custom op 'affine.for' upper loop bound affine map with multiple results requires 'min' prefix}}
  affine.for %i = 0 to affine_map<(d0) -> (d0, 8)>(%n) { }
  return
}

// -----

func.func @reduction_name() {
  // expected-error @below {{custom op 'affine.parallel' invalid reduction value: "sum"}}
  %0 = affine.parallel (%i) = (0) to (8) reduce ("sum") -> (f32) { }
  return
}

// -----

func.func @prefetch_kind(%m: memref<8xf32>) {
  // expected-error @below {{custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'}}
  affine.prefetch %m[0], touch, locality<3>, data : memref<8xf32>
  return
}

// -----

func.func @prefetch_cache(%m: memref<8xf32>) {
  // expected-error @below {{custom op 'affine.prefetch' cache type has to be 'data' or 'instr'}}
  affine.prefetch %m[0], read, locality<3>, disk : memref<8xf32>
  return
}
