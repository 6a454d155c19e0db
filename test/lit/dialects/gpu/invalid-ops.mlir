// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Reductions, copies and matrices agree with their types.
func.func @yield_count(%x: f32) {
  // expected-error @below {{expected one gpu.yield operand}}
  %0 = "gpu.all_reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    "gpu.yield"(%a, %b) : (f32, f32) -> ()
  }) : (f32) -> f32
  return
}

// -----

func.func @yield_type(%x: f32, %y: i32) {
  // expected-error @below {{incorrect gpu.yield type}}
  %0 = "gpu.all_reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    "gpu.yield"(%y) : (i32) -> ()
  }) : (f32) -> f32
  return
}

// -----

func.func @args(%x: f32) {
  // expected-error @below {{expected two region arguments}}
  %0 = "gpu.all_reduce"(%x) ({
  ^bb0(%a: f32):
    "gpu.yield"(%a) : (f32) -> ()
  }) : (f32) -> f32
  return
}

// -----

func.func @arg_type(%x: f32) {
  // expected-error @below {{incorrect region argument type}}
  %0 = "gpu.all_reduce"(%x) ({
  ^bb0(%a: f32, %b: i32):
    "gpu.yield"(%a) : (f32) -> ()
  }) : (f32) -> f32
  return
}

// -----

func.func @neither(%x: f32) {
  // expected-error @below {{expected either an op attribute or a non-empty body}}
  %0 = "gpu.all_reduce"(%x) ({}) : (f32) -> f32
  return
}

// -----

func.func @copy_element(%a: memref<4xf32>, %b: memref<4xf64>) {
  // expected-error @below {{'gpu.memcpy' op arguments have incompatible element type}}
  "gpu.memcpy"(%a, %b) : (memref<4xf32>, memref<4xf64>) -> ()
  return
}

// -----

func.func @copy_shape(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @below {{'gpu.memcpy' op arguments have incompatible shape}}
  "gpu.memcpy"(%a, %b) : (memref<4xf32>, memref<5xf32>) -> ()
  return
}

// -----

func.func @shared_space() {
  // expected-error @below {{'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>}}
  %0 = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, 3>
  return
}

// -----

func.func @shared_size() {
  // expected-error @below {{'gpu.dynamic_shared_memory' op result memref type must be memref<?xi8, #gpu.address_space<workgroup>>}}
  %0 = "gpu.dynamic_shared_memory"() : () -> memref<4xi8, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @no_container(%n: index) {
  // expected-error @below {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @k::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

func.func @launch_args(%n: index) {
  // expected-error @below {{'gpu.launch' op unexpected number of region arguments}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: index):
    "gpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @mma_load(%m: memref<16x16xf32, strided<[1, 16]>>, %i: index) {
  // expected-error @below {{expected source memref most minor dim must have unit stride}}
  %0 = "gpu.subgroup_mma_load_matrix"(%m, %i, %i) <{leadDimension = 16 : index}> : (memref<16x16xf32, strided<[1, 16]>>, index, index) -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}

// -----

func.func @mma_operand(%m: memref<16x16xf16>, %i: index, %x: !gpu.mma_matrix<16x16xf16, "AOp">) {
  // expected-error @below {{expected the operand matrix being stored to have 'COp' operand type}}
  "gpu.subgroup_mma_store_matrix"(%x, %m, %i, %i) <{leadDimension = 16 : index}> : (!gpu.mma_matrix<16x16xf16, "AOp">, memref<16x16xf16>, index, index) -> ()
  return
}

// -----

func.func @mma_order(%x: !gpu.mma_matrix<16x16xf16, "AOp">) {
  // expected-error @below {{operands must be in the order AOp, BOp, COp}}
  %0 = "gpu.subgroup_mma_compute"(%x, %x, %x) : (!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "AOp">) -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}

// -----

func.func @mma_shape(%x: !gpu.mma_matrix<16x8xf16, "AOp">, %y: !gpu.mma_matrix<16x16xf16, "BOp">, %z: !gpu.mma_matrix<16x16xf16, "COp">) {
  // expected-error @below {{operand shapes do not satisfy matmul constraints}}
  %0 = "gpu.subgroup_mma_compute"(%x, %y, %z) : (!gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}
