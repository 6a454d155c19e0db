// RUN: mlc-opt %s --sroa | FileCheck %s
// RUN: mlc-opt %s --sroa | mlc-opt --sroa | FileCheck %s
// Only the parts that are used are allocated; what is indexed by a value that is not constant stays whole.

// CHECK-LABEL: func.func @buffer
// CHECK: %[[A:.*]] = memref.alloca() : memref<i32>
// CHECK-NEXT: %[[WHOLE:.*]] = memref.alloca() : memref<2xi32>
// CHECK: memref.store %arg0, %[[A]][]
// CHECK: memref.store %arg0, %[[WHOLE]][%arg1]
func.func @buffer(%x: i32, %i: index) -> i32 {
  %c1 = arith.constant 1 : index
  %split = memref.alloca() : memref<2x2xi32>
  %whole = memref.alloca() : memref<2xi32>
  memref.store %x, %split[%c1, %c1] : memref<2x2xi32>
  memref.store %x, %whole[%i] : memref<2xi32>
  %r = memref.load %split[%c1, %c1] : memref<2x2xi32>
  return %r : i32
}

// A part of a part; the element is found by its offset in bytes, padding included.
// CHECK-LABEL: llvm.func @structure
// CHECK: llvm.alloca %{{.*}} x i16
// CHECK-NOT: llvm.getelementptr
// CHECK: llvm.store %arg0, %{{.*}} : i16
llvm.func @structure(%x: i16) -> i16 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.struct<(i32, struct<(i8, i16)>)> : (i32) -> !llvm.ptr
  %inner = llvm.getelementptr %s[0, 1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, struct<(i8, i16)>)>
  llvm.store %x, %inner : i16, !llvm.ptr
  %same = llvm.getelementptr %s[6] : (!llvm.ptr) -> !llvm.ptr, i8
  %r = llvm.load %same : !llvm.ptr -> i16
  llvm.return %r : i16
}

// An access that leaves its part keeps the array together.
// CHECK-LABEL: llvm.func @crosses
// CHECK: llvm.alloca %{{.*}} x !llvm.array<2 x i32>
llvm.func @crosses() -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.array<2 x i32> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x i32>
  %r = llvm.load %second : !llvm.ptr -> i64
  llvm.return %r : i64
}

// A copy becomes copies of the parts.
// CHECK-LABEL: llvm.func @copied
// CHECK: %[[PART:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: %[[FROM:.*]] = llvm.getelementptr %arg0[0, 1]
// CHECK: "llvm.intr.memcpy"(%[[PART]], %[[FROM]],
// CHECK: llvm.load %[[PART]]
llvm.func @copied(%from: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %eight = llvm.mlir.constant(8 : i64) : i64
  %s = llvm.alloca %one x !llvm.array<2 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%s, %from, %eight) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %second = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x i32>
  %r = llvm.load %second : !llvm.ptr -> i32
  llvm.return %r : i32
}
