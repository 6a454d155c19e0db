// RUN: mlc-opt %s --gpu-async-region | FileCheck %s
// Work of the GPU is put behind what was put before; the host waits where it does something that may be seen.
// CHECK-LABEL: func.func @chain
func.func @chain(%a: memref<8xf32>, %b: memref<8xf32>, %n: index, %x: f32) -> index {
  // CHECK: %[[T0:.*]] = gpu.wait async
  // CHECK: %[[M:.*]], %[[T1:.*]] = gpu.alloc async [%[[T0]]] (%{{.*}}) : memref<?xf32>
  %m = gpu.alloc (%n) : memref<?xf32>
  // CHECK: %[[T2:.*]] = gpu.memcpy async [%[[T1]]]
  gpu.memcpy %a, %b : memref<8xf32>, memref<8xf32>
  // CHECK-NEXT: arith.addi
  %k = arith.addi %n, %n : index
  // CHECK-NEXT: %[[T3:.*]] = gpu.memset async [%[[T2]]]
  gpu.memset %a, %x : memref<8xf32>, f32
  // CHECK-NEXT: gpu.wait [%[[T3]]]
  // CHECK-NEXT: memref.store
  memref.store %x, %b[%n] : memref<8xf32>
  // CHECK-NEXT: %[[T4:.*]] = gpu.wait async
  // CHECK-NEXT: %[[T5:.*]] = gpu.dealloc async [%[[T4]]] %[[M]]
  gpu.dealloc %m : memref<?xf32>
  // CHECK-NEXT: gpu.wait [%[[T5]]]
  // CHECK-NEXT: return
  return %k : index
}

// Tokens and waits that are there count.
// CHECK-LABEL: func.func @given
func.func @given(%a: memref<8xf32>, %b: memref<8xf32>) {
  // CHECK: %[[T0:.*]] = gpu.wait async
  %t0 = gpu.wait async
  // CHECK: %[[T1:.*]] = gpu.wait async [%[[T0]]]
  %t1 = gpu.wait async
  // CHECK: %[[T2:.*]] = gpu.memcpy async [%[[T1]], %[[T0]]]
  %t2 = gpu.memcpy async [%t0] %a, %b : memref<8xf32>, memref<8xf32>
  // CHECK: gpu.wait [%[[T2]]]
  gpu.wait
  // CHECK-NEXT: gpu.wait{{ *$}}
  gpu.wait
  return
}

// A block at a time; what the host sees is allocated by the host.
// CHECK-LABEL: func.func @loop
func.func @loop(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c1 = arith.constant 1 : index
  // CHECK: gpu.alloc host_shared
  %s = gpu.alloc host_shared () : memref<8xf32>
  // CHECK: scf.for
  scf.for %i = %c1 to %n step %c1 {
    // CHECK: %[[T0:.*]] = gpu.wait async
    // CHECK: %[[T1:.*]] = gpu.memcpy async [%[[T0]]]
    // CHECK: gpu.wait [%[[T1]]]
    gpu.memcpy %a, %b : memref<8xf32>, memref<8xf32>
  }
  return %s : memref<8xf32>
}
