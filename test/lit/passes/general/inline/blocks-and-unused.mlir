// RUN: mlc-opt %s --inline | FileCheck %s
// RUN: mlc-opt %s --inline=inlining-threshold=0 | FileCheck %s --check-prefix=NONE
// RUN: mlc-opt %s --inline="default-pipeline= op-pipelines=func.func(canonicalize,cse)" | FileCheck %s
// RUN: mlc-opt %s --inline -o /dev/null --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: inline{default-pipeline=canonicalize inlining-threshold=4294967295 max-iterations=4 }
// CHECK: func.func private @ext()
func.func private @ext()
// Nobody calls it.
// CHECK-NOT: @unused
func.func private @unused() {
  return
}
// Several blocks go where several may stand; the call in scf.if stays, and so does the function.
// CHECK: func.func private @either
func.func private @either(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  call @ext() : () -> ()
  return %x : i32
^b:
  %y = arith.muli %x, %x : i32
  return %y : i32
}
// CHECK-LABEL: func.func @caller
// CHECK-NOT: {{^ *}}{{%.* = }}call @either
// CHECK: ^[[END:.*]](%[[R:.*]]: i32):
// CHECK: scf.if
// CHECK-NEXT: func.call @either(%{{.*}}, %[[R]])
// CHECK: return %[[R]]
// NONE-LABEL: func.func @caller
// NONE: %[[N:.*]] = call @either
// NONE: return %[[N]]
func.func @caller(%c: i1, %x: i32) -> i32 {
  %r = call @either(%c, %x) : (i1, i32) -> i32
  scf.if %c {
    %q = func.call @either(%c, %r) : (i1, i32) -> i32
    func.call @ext() : () -> ()
  }
  return %r : i32
}
// What calls itself is called.
// CHECK-LABEL: func.func @again
// CHECK: call @again
func.func @again(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  %r = call @again(%y) : (i32) -> i32
  return %r : i32
}
// CHECK-LABEL: func.func @indirect
// CHECK-NEXT: %[[S:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT: return %[[S]]
// CHECK-NOT: @square
func.func @indirect(%x: i32) -> i32 {
  %f = func.constant @square : (i32) -> i32
  %r = call_indirect %f(%x) : (i32) -> i32
  return %r : i32
}
func.func private @square(%x: i32) -> i32 {
  %r = arith.muli %x, %x : i32
  return %r : i32
}
