// RUN: mlc-opt %s --convert-func-to-llvm | FileCheck %s
// Several results are a struct; a call takes it apart.
// CHECK-LABEL: llvm.func internal @pair(%arg0: i64, %arg1: f32) -> !llvm.struct<(f32, i64)> {
// CHECK-NEXT: %[[U:.*]] = llvm.mlir.undef : !llvm.struct<(f32, i64)>
// CHECK-NEXT: %[[V:.*]] = llvm.insertvalue %arg1, %[[U]][0]
// CHECK-NEXT: %[[W:.*]] = llvm.insertvalue %arg0, %[[V]][1]
// CHECK-NEXT: llvm.return %[[W]]
func.func private @pair(%i: index, %x: f32) -> (f32, index) {
  return %x, %i : f32, index
}

// CHECK-LABEL: llvm.func @use
// CHECK-NEXT: %[[R:.*]] = llvm.call @pair(%arg0, %arg1) : (i64, f32) -> !llvm.struct<(f32, i64)>
// CHECK-NEXT: %[[A:.*]] = llvm.extractvalue %[[R]][0]
// CHECK-NEXT: %[[B:.*]] = llvm.extractvalue %[[R]][1]
// CHECK-NEXT: llvm.return %[[B]] : i64
func.func @use(%i: index, %x: f32) -> index {
  %r:2 = call @pair(%i, %x) : (index, f32) -> (f32, index)
  return %r#1 : index
}

// CHECK-LABEL: llvm.func @indirect(%arg0: !llvm.ptr, %arg1: i32)
// CHECK-NEXT: llvm.call %arg0(%arg1) : !llvm.ptr, (i32) -> i32
func.func @indirect(%f: (i32) -> i32, %x: i32) -> i32 {
  %r = call_indirect %f(%x) : (i32) -> i32
  return %r : i32
}
