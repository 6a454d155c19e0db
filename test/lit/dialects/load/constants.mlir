// RUN: mlc-opt --load-dialect=%S/Inputs/numbers.yaml --load-rules=%S/Inputs/numbers.rules %s --canonicalize | FileCheck %s
// What folds becomes the first constant of the record that takes it.
// CHECK-LABEL: func.func @own
// CHECK-NEXT: %[[C:.*]] = numbers.number 0.000000e+00
// CHECK-NEXT: return %[[C]] : f32
// CHECK-LABEL: func.func @of_another
// CHECK-NEXT: %[[C:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: return %[[C]] : f64
func.func @own(%x: f32) -> f32 {
  %0 = numbers.number 0.0
  %1 = numbers.mul %x, %0 : f32
  return %1 : f32
}
func.func @of_another(%x: f64) -> f64 {
  %0 = arith.constant 0.0 : f64
  %1 = numbers.mul %x, %0 : f64
  return %1 : f64
}
