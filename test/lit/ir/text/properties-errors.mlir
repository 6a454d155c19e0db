// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// An inherent attribute of another kind than its op has is refused before the verifier sees it.
func.func @integer(%a: i32) {
  // expected-error @below {{invalid properties {overflowFlags = "s"} for op arith.addi: Invalid attribute `overflowFlags` in property conversion: "s"}}
  %0 = "arith.addi"(%a, %a) <{overflowFlags = "s"}> : (i32, i32) -> i32
  return
}

// -----

// A width is the verifier's business.
// expected-error @below {{'memref.global' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute}}
"memref.global"() <{sym_name = "g", type = memref<2xf32>, alignment = 8 : i32}> : () -> ()

// -----

func.func @none(%a: i32) {
  // expected-error @below {{invalid properties {x = 1 : i32} for op arith.bitcast: this operation does not support properties}}
  %0 = "arith.bitcast"(%a) <{x = 1 : i32}> : (i32) -> f32
  return
}

// -----

func.func @no_dictionary(%a: i32) {
  // expected-error @below {{invalid properties 7 : i32 for op arith.addi: expected DictionaryAttr to set properties}}
  %0 = "arith.addi"(%a, %a) <7 : i32> : (i32, i32) -> i32
  return
}

// -----

func.func @segments_of_another_kind(%n: index) {
  // expected-error @below {{expected DenseI32ArrayAttr for key `value`}}
  %0 = "memref.alloc"(%n) <{operandSegmentSizes = [1, 0]}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @segments_of_another_op(%n: index) {
  // expected-error @below {{size mismatch in attribute conversion: 3 vs 2}}
  %0 = "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> memref<?xf32>
  return
}

// -----

// Sizes that are not given are zeros.
func.func @segments(%n: index) {
  %0 = "memref.alloc"() : () -> memref<2xf32>
  // expected-error @below {{'memref.alloc' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %1 = "memref.alloc"(%n) : (index) -> memref<?xf32>
  return
}

// -----

func.func @twice(%a: i32) {
  // expected-error @below {{duplicate key 'overflowFlags' in dictionary attribute}}
  %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>, overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  return
}

// -----

func.func @enumeration(%a: i32) {
  // expected-error @+2 {{expected ::mlir::arith::IntegerOverflowFlags to be one of: none, nsw, nuw}}
  // expected-error @below {{failed to parse Arith_IntegerOverflowAttr parameter 'value' which is to be a `::mlir::arith::IntegerOverflowFlags`}}
  %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<up>}> : (i32, i32) -> i32
  return
}
