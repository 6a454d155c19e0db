// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// What the syntax of generic, map, reduce, transpose and broadcast refuses.

#id = affine_map<(d0) -> (d0)>
func.func @iterator(%a: memref<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.generic' unexpected iterator_type (random)}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["random"]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @dictionary(%a: memref<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.generic' expected a dictionary of indexing_maps and iterator_types}}
  linalg.generic "maps" outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @no_iterators(%a: memref<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.generic' expected "iterator_types" array attribute}}
  linalg.generic {indexing_maps = [#id]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @two(%a: memref<4x4xf32>) {
  // expected-error@+1 {{custom op 'linalg.transpose' expected one input and one output}}
  linalg.transpose ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [0, 1]
  return
}

// -----

func.func @payload(%a: memref<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.map' expected attribute dictionary}}
  linalg.map { arith.addf "fast" } ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @unknown(%a: memref<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.map' there is no operation 'arith.plus'}}
  linalg.map { arith.plus } ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @no_outs(%a: memref<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.map' expected 'outs'}}
  linalg.map { arith.addf } ins(%a, %a : memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @terminator(%a: memref<4xf32>) {
  // expected-error@+1 {{'func.return' op requires zero results}}
  linalg.map { func.return } ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @loop(%a: memref<4xf32>) {
  // expected-error@+1 {{'scf.while' op expected 2 regions}}
  linalg.map { scf.while } ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @scalar(%a: memref<4xf32>, %x: f32) {
  // expected-error@+1 {{'linalg.map' op operand #1 must be memref of any type values or ranked tensor of any type values, but got 'f32'}}
  linalg.map { math.exp } ins(%a : memref<4xf32>) outs(%x : f32)
  return
}
