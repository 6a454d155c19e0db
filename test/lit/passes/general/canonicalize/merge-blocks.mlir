// RUN: mlc-opt %s --canonicalize=region-simplify=aggressive | FileCheck %s
// RUN: mlc-opt %s --canonicalize | FileCheck %s --check-prefix=NORMAL
func.func private @at(i32, i32)
// Blocks that do the same become one; where they differ it gets arguments, once per difference.
// CHECK-LABEL: func.func @differ
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^[[A:.*]](%arg1 : i32),
// CHECK-NEXT: 1: ^[[A]](%arg2 : i32),
// CHECK-NEXT: 2: ^
// CHECK-NEXT: ]
// CHECK: ^[[A]](%[[X:.*]]: i32):
// CHECK-NEXT: call @at(%[[X]], %[[X]])
// NORMAL-LABEL: func.func @differ
// NORMAL-COUNT-3: call @at
func.func @differ(%s: i32, %a: i32, %b: i32) {
  cf.switch %s : i32, [default: ^one, 1: ^two, 2: ^three]
^one:
  call @at(%a, %a) : (i32, i32) -> ()
  cf.br ^end
^two:
  call @at(%b, %b) : (i32, i32) -> ()
  cf.br ^end
^three:
  call @at(%b, %b) : (i32, i32) -> ()
  cf.br ^three
^end:
  return
}
// CHECK-LABEL: func.func @one_value
// CHECK: ^{{.*}}(%[[Y:.*]]: i32):  // 2 preds
// CHECK-NEXT: call @at(%arg1, %[[Y]])
func.func @one_value(%c: i1, %a: i32, %b: i32) {
  cf.cond_br %c, ^l, ^r
^l:
  call @at(%a, %b) : (i32, i32) -> ()
  cf.br ^end(%a, %b : i32, i32)
^r:
  call @at(%b, %a) : (i32, i32) -> ()
  call @at(%b, %a) : (i32, i32) -> ()
  cf.br ^end(%a, %a : i32, i32)
^end(%x: i32, %y: i32):
  call @at(%x, %y) : (i32, i32) -> ()
  return
}
