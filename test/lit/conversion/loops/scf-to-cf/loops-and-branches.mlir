// RUN: mlc-opt %s --convert-scf-to-cf | FileCheck %s
// RUN: mlc-opt %s --interpret --entry sum --input 5 | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt %s --convert-scf-to-cf --interpret --entry sum --input 5 | FileCheck %s --check-prefix=RESULT
// A loop is a block with the variable and the carried values as arguments; an if is two branches that meet.
// 0 + 1 + 2 + 3 + 4, odd numbers twice: 14.
// RESULT: 14
// CHECK-LABEL: func.func @sum
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : index, index)
// CHECK: ^[[HEAD]](%[[I:.*]]: index, %[[ACC:.*]]: index):
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK: cf.cond_br
// CHECK: ^[[END]]:
// CHECK: return %[[ACC]]
// CHECK-NOT: scf.
func.func @sum(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {
    %bit = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %bit, %c1 : index
    %v = scf.if %odd -> (index) {
      %d = arith.addi %i, %i : index
      scf.yield %d : index
    } else {
      scf.yield %i : index
    }
    %next = arith.addi %acc, %v : index
    scf.yield %next : index
  }
  return %s : index
}
