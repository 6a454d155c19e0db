// RUN: mlc-opt %s --scf-for-loop-canonicalization --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// The size of what a loop carries is that of its start only where no iteration gives another tensor.
// CHECK: scf.for {{.*}} iter_args(%[[T:[a-z0-9]+]] =
// CHECK: tensor.dim %[[T]]
// LOG: on 'tensor.dim': is of something that may change its shape
func.func @f(%t: tensor<?xf32>, %n: index, %next: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %s = %c0) -> (tensor<?xf32>, index) {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %sum = arith.addi %s, %d : index
    scf.yield %next, %sum : tensor<?xf32>, index
  }
  return %r#1 : index
}
