// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A block that nobody else goes to is joined; one that only branches on is passed through, unless it leads back to itself.
// CHECK-LABEL: func.func @through
// CHECK-NEXT: return %arg1 : i32
func.func @through(%c: i1, %x: i32) -> i32 {
  cf.br ^first(%x : i32)
^first(%p: i32):
  cf.cond_br %c, ^left, ^last(%p : i32)
^left:
  cf.br ^last(%x : i32)
^last(%q: i32):
  return %q : i32
}
// CHECK-LABEL: func.func @circle
// CHECK-NEXT: cf.br ^[[A:.*]]
// CHECK-NEXT: ^[[A]]:
// CHECK-NEXT: cf.br ^[[A]]
func.func @circle() {
  cf.br ^a
^a:
  cf.br ^b
^b:
  cf.br ^a
}
