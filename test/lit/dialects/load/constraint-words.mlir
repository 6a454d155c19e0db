// RUN: split-file %s %t
// RUN: mlc-opt --load-dialect=%t/words.yaml --split-input-file --verify-diagnostics %t/uses.mlir
// RUN: not mlc-opt --check-dialect %t/no-text.yaml 2>&1 | FileCheck %s
// REQUIRES: split-file
// What a constraint asks for is said in words that are made from its expression.
// CHECK: error: expected an attribute as text
//--- words.yaml
dialect: {name: words}
ops:
  - {name: memref, operands: [{name: x, type: {any_memref_of: f32}}]}
  - {name: complex, operands: [{name: x, type: {complex_of: f32}}]}
  - {name: rank, operands: [{name: x, type: {all_of: [any_memref, {rank: [2, null]}]}}]}
  - {name: range, attributes: [{name: n, type: {all_of: [i64_attr, {range: [3, 9]}]}}]}
  - {name: count, attributes: [{name: n, type: {all_of: [{attr_kind: array}, {count: 2}]}}]}
//--- no-text.yaml
dialect: {name: words}
ops:
  - {name: same, attributes: [{name: n, type: {attr_exactly: [1]}}]}
//--- uses.mlir
func.func @memref(%x: memref<2xi32>) {
  // expected-error @+1 {{operand #0 must be ranked or unranked memref of 32-bit float values, but got 'memref<2xi32>'}}
  "words.memref"(%x) : (memref<2xi32>) -> ()
  return
}
// -----
func.func @complex(%x: complex<f64>) {
  // expected-error @+1 {{operand #0 must be complex type with 32-bit float elements, but got 'complex<f64>'}}
  "words.complex"(%x) : (complex<f64>) -> ()
  return
}
// -----
func.func @rank(%x: memref<2xf32>) {
  // expected-error @+1 {{whose minimum rank is 2}}
  "words.rank"(%x) : (memref<2xf32>) -> ()
  return
}
// -----
// expected-error @+1 {{whose minimum value is 3 whose maximum value is 9}}
"words.range"() {n = 10 : i64} : () -> ()
// -----
// expected-error @+1 {{with exactly 2 elements}}
"words.count"() {n = [1, 2, 3]} : () -> ()
