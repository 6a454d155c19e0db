// RUN: mlc-opt %s --mem2reg | FileCheck %s
// Stack slots of the llvm dialect, read and written as other types of the same size or in part.

// CHECK-LABEL: llvm.func @reinterpreted
// CHECK: %[[INT:.*]] = llvm.bitcast %arg0 : f32 to i32
// CHECK: %[[LOW:.*]] = llvm.trunc %[[INT]] : i32 to i8
// CHECK: llvm.return %[[LOW]]
llvm.func @reinterpreted(%x: f32) -> i8 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start 4, %slot : !llvm.ptr
  llvm.store %x, %slot : f32, !llvm.ptr
  %byte = llvm.load %slot : !llvm.ptr -> i8
  llvm.intr.lifetime.end 4, %slot : !llvm.ptr
  llvm.return %byte : i8
}

// CHECK-LABEL: llvm.func @partial_store
// CHECK: %[[NEW:.*]] = llvm.zext %arg1 : i8 to i32
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(-256 : i32) : i32
// CHECK: %[[KEPT:.*]] = llvm.and %arg0, %[[MASK]]
// CHECK: %[[BOTH:.*]] = llvm.or %[[KEPT]], %[[NEW]]
// CHECK: llvm.return %[[BOTH]]
llvm.func @partial_store(%x: i32, %b: i8) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  llvm.store %b, %slot : i8, !llvm.ptr
  %r = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @filled_and_copied
// CHECK-NOT: llvm.alloca
// CHECK: %[[BYTE:.*]] = llvm.zext %arg1 : i8 to i16
// CHECK: %[[HIGH:.*]] = llvm.shl %[[BYTE]]
// CHECK: %[[FULL:.*]] = llvm.or %[[BYTE]], %[[HIGH]]
// CHECK: llvm.store %[[FULL]], %arg0
llvm.func @filled_and_copied(%to: !llvm.ptr, %byte: i8) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i64) : i64
  %slot = llvm.alloca %one x i16 : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%slot, %byte, %two) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memcpy"(%to, %slot, %two) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// Volatile, or read beyond its end: it stays.
// CHECK-LABEL: llvm.func @stay
// CHECK-COUNT-2: llvm.alloca
llvm.func @stay() -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %v = llvm.load volatile %a : !llvm.ptr -> i32
  %wide = llvm.load %b : !llvm.ptr -> i64
  llvm.return %wide : i64
}
