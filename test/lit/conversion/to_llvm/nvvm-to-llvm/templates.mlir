// RUN: mlc-opt %s --convert-nvvm-to-llvm | FileCheck %s
// Texts with the names of cases, lists of operands, and results. What is an intrinsic is assembly where it has a predicate.

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[N:.*]]: i32, %[[P:.*]]: i1
func.func @f(%s: !llvm.ptr<3>, %n: i32, %p: i1) -> i1 {
  // CHECK-NEXT: nvvm.mbarrier.init.shared
  nvvm.mbarrier.init.shared %s, %n : !llvm.ptr<3>, i32
  // CHECK-NEXT: "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b" %[[S]], %[[N]], %[[P]]
  nvvm.mbarrier.init.shared %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
  // CHECK-NEXT: "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [$0], {$1, $2};", "r,r,r"
  nvvm.stmatrix %s, %n, %n {layout = #nvvm.mma_layout<col>} : !llvm.ptr<3>, i32, i32
  // CHECK-NEXT: "bar.arrive $0, $1;", "r,r"
  nvvm.barrier.arrive id = %n number_of_threads = %n
  // CHECK-NEXT: "bar.arrive 0, $0;", "r"
  nvvm.barrier.arrive number_of_threads = %n
  // CHECK-NEXT: "griddepcontrol.wait;"
  nvvm.griddepcontrol.wait
  // CHECK-NEXT: %[[E:.*]] = llvm.inline_asm {{.*}} "=b" : () -> i1
  %e = nvvm.elect.sync -> i1
  // CHECK-NEXT: return %[[E]]
  return %e : i1
}
