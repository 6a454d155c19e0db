// RUN: mlc-opt %s --kernel-scratch | FileCheck %s
// Buffers of a kernel are windows of one argument, at multiples of 64 bytes; the third one is alive when the first no longer is, and takes
// its place. The caller makes room for the call.
// CHECK-LABEL: func.func @main
// CHECK: %[[ROOM:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: call @kernel(%{{.*}}, %[[ROOM]])
// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME: %[[SCRATCH:arg1]]: memref<128xi8>)
// CHECK-DAG: memref.view %[[SCRATCH]][%[[AT:.+]]][] : memref<128xi8> to memref<10xf32>
// CHECK-DAG: %[[AT]] = arith.constant 0
// CHECK-DAG: memref.view %[[SCRATCH]][%[[BEHIND:.+]]][] : memref<128xi8> to memref<3xf32>
// CHECK-DAG: %[[BEHIND]] = arith.constant 64
// CHECK-DAG: memref.view %[[SCRATCH]][%[[AGAIN:.+]]][] : memref<128xi8> to memref<9xf32>
// CHECK-DAG: %[[AGAIN]] = arith.constant 0
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
  %w = memref.load %a[%c0] : memref<10xf32>
  %c = memref.alloc() : memref<9xf32>
  memref.store %w, %c[%c0] : memref<9xf32>
  %x = memref.load %b[%c0] : memref<3xf32>
  return
}
