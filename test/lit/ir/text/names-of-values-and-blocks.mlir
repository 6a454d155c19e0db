// RUN: mlc-opt %s --allow-unregistered-dialect > %t.mlc
// RUN: mlir-opt %s --allow-unregistered-dialect | diff - %t.mlc
// RUN: FileCheck %s < %t.mlc
// REQUIRES: mlir-opt
// CHECK-LABEL: func.func @blocks(%arg0: i1) -> i32
func.func @blocks(%c: i1) -> i32 {
  // CHECK: %c0_i32 = arith.constant 0
  %a = arith.constant 0 : i32
  // CHECK: %c0_i32_0 = arith.constant 0
  %b = arith.constant 0 : i32
  // CHECK: cf.cond_br %arg0, ^bb1(%c0_i32 : i32), ^bb2
  cf.cond_br %c, ^left(%a : i32), ^right
// CHECK: ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb2
^left(%v: i32):
  return %v : i32
// CHECK: ^bb2:  // pred: ^bb0
^right:
  // CHECK: %1:2 = "foo.pair"() ({
  %p:2 = "foo.pair"() ({
    // CHECK-NEXT: %2 = "foo.in"
    %q = "foo.in"() : () -> i32
    "foo.end"(%q) : (i32) -> ()
  }) : () -> (i32, i32)
  // CHECK: cf.br ^bb1(%1#1 : i32)
  cf.br ^left(%p#1 : i32)
// CHECK: ^bb3:  // no predecessors
^dead:
  return %b : i32
}
