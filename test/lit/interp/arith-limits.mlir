// RUN: not mlc-opt %s --interpret --entry wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not mlc-opt %s --interpret --entry unsigned 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not mlc-opt %s --interpret --entry rounded 2>&1 | FileCheck %s --check-prefix=ROUNDED
// RUN: not mlc-opt %s --interpret --entry power 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not mlc-opt %s --interpret --entry long 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not mlc-opt %s --interpret --entry nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// What the interpreter does not compute is an error at the op.
// WIDE: error: {{.*}}converts an integer of more than 64 bits
func.func @wide() -> f32 {
  %0 = arith.constant 1267650600228229401496703205376 : i128
  %1 = arith.sitofp %0 : i128 to f32
  return %1 : f32
}
func.func @unsigned() -> f32 {
  %0 = arith.constant 1267650600228229401496703205376 : i128
  %1 = arith.uitofp %0 : i128 to f32
  return %1 : f32
}
// ROUNDED: error: 'arith.truncf' op rounds in a way that the interpreter does not know
func.func @rounded() -> f32 {
  %0 = arith.constant 0.1 : f64
  %1 = arith.truncf %0 upward : f64 to f32
  return %1 : f32
}
// POWER: error: 'math.ipowi' op raises 0 to a negative power
func.func @power() -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.constant -1 : i32
  %2 = math.ipowi %0, %1 : i32
  return %2 : i32
}
// LONG: error: 'math.sin' op is not known for f128
func.func @long() -> f128 {
  %0 = arith.constant 0.5 : f128
  %1 = math.sin %0 : f128
  return %1 : f128
}
// NOTHING: error: 'index.divs' op has no result for these operands
func.func @nothing() -> index {
  %0 = index.constant 0
  %1 = index.divs %0, %0
  return %1 : index
}
