// RUN: mlc-opt %s --parallel-to-runtime | FileCheck %s
// The body becomes a task over a range of chunks; what it uses travels in a struct; scratch comes from the thread.
// CHECK: module attributes {mlc.scratch_bytes = 256 : i64}
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[CALL:.*]]: !llvm.ptr, %[[M:.*]]: memref<10x64xf32>
// CHECK: constant @kernel_task
// CHECK: llvm.alloca
// CHECK: llvm.call %{{.*}}(%[[CALL]],
// CHECK-NOT: scf.parallel
// CHECK-LABEL: func.func private @kernel_task(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %{{.*}}: !llvm.ptr)
// CHECK: scf.for
// CHECK: memref.view
// CHECK-NOT: memref.alloc
func.func @kernel(%m: memref<10x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %buffer = memref.alloc() : memref<64xf32>
    %v = memref.load %m[%i, %c0] : memref<10x64xf32>
    memref.store %v, %buffer[%c1] : memref<64xf32>
    %w = memref.load %buffer[%c1] : memref<64xf32>
    memref.store %w, %m[%i, %c1] : memref<10x64xf32>
    scf.reduce
  }
  return
}
