// RUN: mlc-opt %s --inline="default-pipeline=" --split-input-file | FileCheck %s
// What LLVM's functions do not allow.
llvm.func @personality(...) -> i32
llvm.func @variadic(%a: i32, ...) {
  llvm.return
}
llvm.func @catches() attributes {personality = @personality} {
  llvm.return
}
llvm.func @no_inline() attributes {no_inline} {
  llvm.return
}
llvm.func @twice() attributes {passthrough = ["returns_twice"]} {
  llvm.return
}
llvm.func @in_alloca(%a: !llvm.ptr {llvm.inalloca = i32}) {
  llvm.return
}
llvm.func @reads_arguments(%a: !llvm.ptr) {
  llvm.intr.vastart %a : !llvm.ptr
  llvm.return
}
llvm.func @plain(%a: !llvm.ptr) attributes {passthrough = ["nounwind"]} {
  llvm.return
}
// CHECK-LABEL: llvm.func @caller
// CHECK-NEXT: llvm.call @variadic
// CHECK-NEXT: llvm.call @catches
// CHECK-NEXT: llvm.call @no_inline
// CHECK-NEXT: llvm.call @twice
// CHECK-NEXT: llvm.call @in_alloca
// CHECK-NEXT: llvm.call @reads_arguments
// CHECK-NEXT: llvm.return
llvm.func @caller(%a: i32, %p: !llvm.ptr) {
  llvm.call @variadic(%a) vararg(!llvm.func<void (i32, ...)>) : (i32) -> ()
  llvm.call @catches() : () -> ()
  llvm.call @no_inline() : () -> ()
  llvm.call @twice() : () -> ()
  llvm.call @in_alloca(%p) : (!llvm.ptr) -> ()
  llvm.call @reads_arguments(%p) : (!llvm.ptr) -> ()
  llvm.call @plain(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

// Blocks end in a branch of llvm; slots move to the entry, with their life marked; a slot of unknown
// size is given back.
llvm.func @use(!llvm.ptr)
llvm.func @slots(%n: i32, %c: i1) -> i32 {
  %four = llvm.mlir.constant(4 : i32) : i32
  %0 = llvm.alloca %four x f32 : (i32) -> !llvm.ptr
  %1 = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  llvm.cond_br %c, ^used, ^end
^used:
  llvm.call @use(%0) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.call @use(%1) : (!llvm.ptr) -> ()
  llvm.return %n : i32
}
// CHECK-LABEL: llvm.func @moves_slots
// CHECK-NEXT: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-NEXT: %[[SLOT:.*]] = llvm.alloca %[[FOUR]] x f32
// CHECK-NEXT: llvm.cond_br
// CHECK: %[[STACK:.*]] = llvm.intr.stacksave
// CHECK: llvm.intr.lifetime.start 4, %[[SLOT]]
// CHECK-NEXT: llvm.alloca %{{.*}} x f32
// CHECK: llvm.intr.stackrestore %[[STACK]]
// CHECK-NEXT: llvm.intr.lifetime.end 4, %[[SLOT]]
// CHECK-NEXT: llvm.br ^[[AFTER:.*]](%{{.*}} : i32)
// CHECK: ^[[AFTER]](%[[R:.*]]: i32):
// CHECK: llvm.br ^{{.*}}(%[[R]] : i32)
llvm.func @moves_slots(%n: i32, %c: i1) -> i32 {
  llvm.cond_br %c, ^then, ^join(%n : i32)
^then:
  %0 = llvm.call @slots(%n, %c) : (i32, i1) -> i32
  llvm.br ^join(%0 : i32)
^join(%r: i32):
  llvm.return %r : i32
}

// -----

// An argument passed by value is copied, unless it is only read and aligned as wanted.
llvm.func @use(!llvm.ptr)
llvm.func @by_value(%a: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i64)>}) {
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @only_read(%a: !llvm.ptr {llvm.byval = i32, llvm.align = 16 : i64}) attributes {memory = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none>} {
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func @copies
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr)
// CHECK: %[[COPY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, i64)> {alignment = 4 : i64}
// CHECK: %[[MINE:.*]] = llvm.alloca %{{.*}} x i32 {alignment = 16 : i64}
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(12 : i64)
// CHECK-NEXT: "llvm.intr.memcpy"(%[[COPY]], %[[P]], %[[BYTES]])
// CHECK-NEXT: llvm.call @use(%[[COPY]])
// CHECK-NEXT: llvm.call @use(%[[MINE]])
llvm.func @copies(%p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %mine = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  llvm.call @by_value(%p) : (!llvm.ptr) -> ()
  llvm.call @only_read(%mine) : (!llvm.ptr) -> ()
  llvm.return
}
