// RUN: mlc-translate %s --export-llvmir | FileCheck %s
// Block arguments become phis, whatever the order of blocks in the text; blocks that nothing reaches are left out.
// CHECK-LABEL: define i32 @loop(i32 %0)
llvm.func @loop(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  // CHECK: br label %[[HEAD:.*]]
  llvm.br ^head(%zero, %zero : i32, i32)
  // CHECK: phi i32 [ %[[SUM:.*]], %[[HEAD:.*]] ]
  // CHECK-NEXT: ret i32
^exit(%result: i32):
  llvm.return %result : i32
^unreached:
  llvm.br ^exit(%n : i32)
  // CHECK: [[HEAD]]:
  // CHECK: %[[I:.*]] = phi i32 [ 0, %1 ], [ %[[NEXT:.*]], %{{.*}} ]
  // CHECK: %[[SUM]] = phi i32 [ 0, %1 ], [ %[[MORE:.*]], %{{.*}} ]
^head(%i: i32, %sum: i32):
  %go = llvm.icmp "slt" %i, %n : i32
  // CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
  llvm.cond_br %go weights([99, 1]), ^body, ^exit(%sum : i32)
^body:
  // CHECK: %[[MORE]] = add i32 %[[SUM]], %[[I]]
  // CHECK: %[[NEXT]] = add i32 %[[I]], 1
  %more = llvm.add %sum, %i : i32
  %next = llvm.add %i, %one : i32
  llvm.br ^head(%next, %more : i32, i32)
  // CHECK-NEXT: br label %[[HEAD]]
}
// CHECK-LABEL: define i32 @cases(i32 %0)
llvm.func @cases(%which: i32) -> i32 {
  %ten = llvm.mlir.constant(10 : i32) : i32
  // CHECK: switch i32 %0, label %{{.*}} [
  // CHECK-NEXT: i32 1, label
  // CHECK-NEXT: i32 2, label
  // CHECK-NEXT: ]
  llvm.switch %which : i32, ^done(%which : i32) [
    1: ^done(%ten : i32),
    2: ^other
  ]
^other:
  llvm.unreachable
  // CHECK: phi i32 [ %0, %1 ], [ 10, %{{.*}} ]
^done(%value: i32):
  llvm.return %value : i32
}
// Both ways lead to one block with different values: an edge of its own for one of them.
// CHECK-LABEL: define i32 @same_block(i1 %0, i32 %1, i32 %2)
llvm.func @same_block(%c: i1, %a: i32, %b: i32) -> i32 {
  // CHECK: br i1 %0, label %[[JOIN:.*]], label %[[EDGE:.*]]
  // CHECK: [[EDGE]]:
  // CHECK-NEXT: br label %[[JOIN]]
  // CHECK: phi i32 [ %1, %{{.*}} ], [ %2, %[[EDGE]] ]
  llvm.cond_br %c, ^join(%a : i32), ^join(%b : i32)
^join(%value: i32):
  llvm.return %value : i32
}
