// RUN: mlc-opt %s --split-input-file --interpret --entry main > %t 2> %t.err || true
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WRONG < %t.err
// A size that a model computes is told to the runtime, which gives it back; here there is nobody to tell.
// CHECK: 7
func.func private @mlc_set_size(i64, i64) -> index
func.func @main() -> index {
  %number = arith.constant 0 : i64
  %size = arith.constant 7 : i64
  %0 = call @mlc_set_size(%number, %size) : (i64, i64) -> index
  return %0 : index
}

// -----

// WRONG: error: 'func.call' op calls 'mlc_set_size' of other types than integers
func.func private @mlc_set_size(i64, f32) -> index
func.func @main() -> index {
  %number = arith.constant 0 : i64
  %size = arith.constant 7.0 : f32
  %0 = call @mlc_set_size(%number, %size) : (i64, f32) -> index
  return %0 : index
}
