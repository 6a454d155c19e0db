// RUN: mlc-opt %s --gpu-place-kernels | FileCheck %s
// What is beside parallel loops and touches memory becomes a launch of one thread, with what it computes for itself.
// A thread's own buffer is on its stack. What a thread needs of the host is computed before.
// CHECK-LABEL: func.func @main({{.*}} attributes {mlc.place = "host"}
func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
  call @kernel(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @kernel(
// CHECK-NOT: mlc.place
// CHECK: %[[ROW:.*]] = memref.subview
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[ONE:.*]], %{{.*}} = %[[ONE]], %{{.*}} = %[[ONE]]) threads
// CHECK-NEXT: %[[X:.*]] = memref.load %arg0
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT: memref.store %[[Y]], %[[ROW]]
// CHECK-NEXT: gpu.terminator
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloca() : memref<4xf32>
func.func private @kernel(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = memref.load %a[%c0] : memref<8xf32>
  %row = memref.subview %b[0] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1]>>
  %y = arith.addf %x, %x : f32
  memref.store %y, %row[%c0] : memref<1xf32, strided<[1]>>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %own = memref.alloc() : memref<4xf32>
    %w = memref.load %a[%i] : memref<8xf32>
    memref.store %w, %own[%c0] : memref<4xf32>
    %z = memref.load %own[%c0] : memref<4xf32>
    memref.store %z, %b[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
