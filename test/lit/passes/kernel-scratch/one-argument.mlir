// RUN: mlc-opt %s --kernel-scratch | FileCheck %s
// Two buffers of a kernel are windows of one argument, at multiples of 64 bytes; the caller makes room for the call.
// CHECK-LABEL: func.func @main
// CHECK: %[[ROOM:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: call @kernel(%{{.*}}, %[[ROOM]])
// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME: %[[SCRATCH:arg1]]: memref<128xi8>)
// CHECK: memref.view %[[SCRATCH]][%{{.*}}][] : memref<128xi8> to memref<10xf32>
// CHECK: memref.view %[[SCRATCH]][%{{.*}}][] : memref<128xi8> to memref<3xf32>
func.func @main(%m: memref<4xf32>) {
  call @kernel(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @kernel(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<10xf32>
  %b = memref.alloc() : memref<3xf32>
  %v = memref.load %m[%c0] : memref<4xf32>
  memref.store %v, %a[%c0] : memref<10xf32>
  memref.store %v, %b[%c0] : memref<3xf32>
  return
}
