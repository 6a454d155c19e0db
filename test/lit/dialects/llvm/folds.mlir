// RUN: mlc-opt %s --canonicalize | FileCheck %s
// RUN: mlc-opt %s --canonicalize | mlc-opt --canonicalize | FileCheck %s
// The few folds the dialect has; arithmetic is left to LLVM.

// CHECK-LABEL: llvm.func @arithmetic
llvm.func @arithmetic() -> i32 {
  %a = llvm.mlir.constant(20 : i32) : i32
  %b = llvm.mlir.constant(22 : i32) : i32
  // CHECK: llvm.add
  %0 = llvm.add %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-LABEL: llvm.func @known_index
llvm.func @known_index(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  %two = llvm.mlir.constant(2 : i64) : i64
  // CHECK: llvm.getelementptr %{{.*}}[2, %{{.*}}, 1] : (!llvm.ptr, i64)
  %0 = llvm.getelementptr %p[%two, %n, 1] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<4 x struct<(i32, i32)>>
  llvm.return %0 : !llvm.ptr
}

// CHECK-LABEL: llvm.func @nowhere(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr
// CHECK-NEXT: llvm.return %[[P]]
llvm.func @nowhere(%p: !llvm.ptr) -> !llvm.ptr {
  %0 = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return %0 : !llvm.ptr
}

// CHECK-LABEL: llvm.func @inserted(
// CHECK-SAME: %[[A:.*]]: i32, %{{.*}}: i32, %[[S:.*]]: !llvm.struct
llvm.func @inserted(%a: i32, %b: i32, %s: !llvm.struct<(i32, i32, i32)>) -> i32 {
  %0 = llvm.insertvalue %a, %s[0] : !llvm.struct<(i32, i32, i32)>
  %1 = llvm.insertvalue %b, %0[1] : !llvm.struct<(i32, i32, i32)>
  %2 = llvm.extractvalue %1[0] : !llvm.struct<(i32, i32, i32)>
  // CHECK-NEXT: %[[LAST:.*]] = llvm.extractvalue %[[S]][2]
  %3 = llvm.extractvalue %1[2] : !llvm.struct<(i32, i32, i32)>
  // CHECK-NEXT: llvm.add %[[A]], %[[LAST]]
  %4 = llvm.add %2, %3 : i32
  llvm.return %4 : i32
}

// An array whose part was replaced is not what the part was before.
// CHECK-LABEL: llvm.func @part
llvm.func @part(%x: f32, %a: !llvm.array<2 x array<2 x f32>>) -> !llvm.array<2 x f32> {
  // CHECK: %[[NEW:.*]] = llvm.insertvalue
  %0 = llvm.insertvalue %x, %a[0, 1] : !llvm.array<2 x array<2 x f32>>
  // CHECK: llvm.extractvalue %[[NEW]][0]
  %1 = llvm.extractvalue %0[0] : !llvm.array<2 x array<2 x f32>>
  llvm.return %1 : !llvm.array<2 x f32>
}

// CHECK-LABEL: llvm.func @round_trip(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr)
// CHECK-NEXT: llvm.return %[[P]]
llvm.func @round_trip(%p: !llvm.ptr) -> !llvm.ptr {
  %0 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %1 = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
  llvm.return %1 : !llvm.ptr
}

// A slot on the stack is not at null.
// CHECK-LABEL: llvm.func @slot
// CHECK: %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT: llvm.return %[[FALSE]]
llvm.func @slot(%n: i64) -> i1 {
  %null = llvm.mlir.zero : !llvm.ptr
  %slot = llvm.alloca %n x i8 : (i64) -> !llvm.ptr
  %0 = llvm.icmp "eq" %null, %slot : !llvm.ptr
  llvm.return %0 : i1
}

// Only volatile and ordering loads, and assembly with effects, outlive their users.
// CHECK-LABEL: llvm.func @unused(
// CHECK-NEXT: llvm.load volatile
// CHECK-NEXT: llvm.load %{{.*}} atomic acquire
// CHECK-NEXT: llvm.inline_asm has_side_effects
// CHECK-NEXT: llvm.return
llvm.func @unused(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.load volatile %p : !llvm.ptr -> i32
  %2 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  %3 = llvm.inline_asm "nop", "=r" : () -> i32
  %4 = llvm.inline_asm has_side_effects "nop", "=r" : () -> i32
  llvm.return
}
