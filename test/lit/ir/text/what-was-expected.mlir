// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Words of MLIR for what is missing, each with where.
func.func @in_dims() {
  // expected-error @below {{expected 'x' in dimension list}}
  %0 = "u.x"() : () -> tensor<4 f32>
}

// -----

func.func @in_function_type(%a: index) {
  // expected-error @below {{expected '->' in function type}}
  %0 = "u.x"(%a) : (index) index
}

// -----

func.func @in_types(%a: index) {
  // expected-error @below {{expected non-function type}}
  %0 = "u.x"(%a) : (<index) -> index
}

// -----

func.func @in_operands(%a: index) {
  // expected-error @below {{expected '(' in operand list}}
  %0 = affine.apply affine_map<(d0) -> (d0)>[%a]
}

// -----

func.func @operand(%a: index) {
  // expected-error @below {{expected SSA operand}}
  %0 = affine.apply affine_map<(d0) -> (d0)>(5)
}

// -----

func.func @in_indices(%m: memref<8xf32>) {
  // expected-error @below {{expected ']' in dynamic index list}}
  // expected-error @below {{custom op 'memref.subview' expected SSA value or integer}}
  %0 = memref.subview %m[0 1] [4] [1] : memref<8xf32> to memref<4xf32>
}

// -----

func.func @index(%m: memref<8xf32>) {
  // expected-error @below {{custom op 'memref.subview' expected integer value}}
  // expected-error @below {{custom op 'memref.subview' expected SSA value or integer}}
  %0 = memref.subview %m[x] [4] [1] : memref<8xf32> to memref<4xf32>
}

// -----

// The end of a dialect's symbol is looked for first.
// expected-error @below {{unbalanced '(' character in pretty dialect name}}
func.func private @symbol(!llvm.struct<(i32, what>)

// -----

func.func @enumeration() {
  // expected-error @+2 {{custom op 'gpu.thread_id' expected ::mlir::gpu::Dimension to be one of: x, y, z}}
  // expected-error @+2 {{failed to parse GPU_DimensionAttr parameter 'value' which is to be a `::mlir::gpu::Dimension`}}
  %0 = gpu.thread_id w
}

// -----

func.func @array() {
  // expected-error @below {{expected ',' or ']'}}
  %0 = "u.x"() {a = [1 : i32 2 : i32]} : () -> index
}

// -----

func.func @element() {
  // expected-error @below {{expected attribute value}}
  %0 = "u.x"() {a = [)]} : () -> index
}

// -----

func.func @scalable() {
  // expected-error @below {{missing ']' closing scalable dimension}}
  %0 = "u.x"() : () -> vector<[4}xf32>
}

// -----

func.func @operands(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{expected ']' in operand list}}
  %0 = vector.transfer_read %m[%i %i], %f : memref<8xf32>, vector<4xf32>
}
