// RUN: mlc-opt %s --reconcile-unrealized-casts | FileCheck %s
// Casts cancel where they lead back; others stay.
// CHECK-LABEL: @back
// CHECK-NEXT: return %arg0 : i64
func.func @back(%x: i64) -> i64 {
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i64
  return %1 : i64
}

// CHECK-LABEL: @several
// CHECK-NEXT: return %arg1, %arg0 : f32, i32
func.func @several(%a: i32, %b: f32) -> (f32, i32) {
  %0:2 = builtin.unrealized_conversion_cast %a, %b : i32, f32 to i64, f64
  %1:2 = builtin.unrealized_conversion_cast %0#0, %0#1 : i64, f64 to i32, f32
  return %1#1, %1#0 : f32, i32
}

// CHECK-LABEL: @stays
// CHECK-NEXT: %[[A:.*]] = builtin.unrealized_conversion_cast %arg0 : i64 to index
// CHECK-NEXT: %[[B:.*]] = builtin.unrealized_conversion_cast %[[A]] : index to i32
// CHECK-NEXT: return %[[B]]
func.func @stays(%x: i64) -> i32 {
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i32
  return %1 : i32
}
