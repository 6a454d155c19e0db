// RUN: mlc-opt %s --gpu-device-memory --canonicalize --gpu-check-host-access | FileCheck %s
// Inputs go to the device once, before the first kernel that reads them; what a kernel on the CPU reads comes back, and what it
// wrote goes there again; results come back at the end. Constants are on both sides. What nobody has written is not copied.
memref.global "private" constant @weights : memref<4xf32> = dense<1.0>
// CHECK: memref.global "private" constant @weights_device : memref<4xf32, #gpu.address_space<global>> = dense<1.0
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[IN:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<4xf32> {mlc.result}
func.func @main(%in: memref<4xf32>, %out: memref<4xf32> {mlc.result}) attributes {mlc.place = "host"} {
  %w = memref.get_global @weights : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  // CHECK-DAG: %[[DEVICE_OUT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #gpu.address_space<global>>
  // CHECK: gpu.memcpy %[[X:[a-z_0-9]+]], %[[IN]] : memref<4xf32, #gpu.address_space<global>>, memref<4xf32>
  // CHECK-NEXT: call @device(%[[X]], %{{.*}}, %[[A:[a-z_0-9]+]]) : (memref<4xf32, #gpu.address_space<global>>
  call @device(%in, %w, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  // CHECK-NEXT: gpu.memcpy %[[HOST_A:[a-z_0-9]+]], %[[A]] : memref<4xf32>, memref<4xf32, #gpu.address_space<global>>
  // CHECK-NEXT: call @host(%[[HOST_A]], %[[HOST_B:[a-z_0-9]+]]) : (memref<4xf32>, memref<4xf32>) -> ()
  call @host(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  // CHECK-NEXT: gpu.memcpy %[[B:[a-z_0-9]+]], %[[HOST_B]] : memref<4xf32, #gpu.address_space<global>>, memref<4xf32>
  // CHECK-NEXT: call @device(%[[B]], %{{.*}}, %[[A]])
  call @device(%b, %w, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  // CHECK-NEXT: call @device(%[[X]], %[[A]], %[[Y:[a-z_0-9]+]])
  // CHECK-NEXT: gpu.memcpy  %[[OUT]], %[[Y]] : memref<4xf32>, memref<4xf32, #gpu.address_space<global>> {mlc.at_end}
  // CHECK-NEXT: return
  call @device(%in, %a, %out) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK: func.func private @device(%{{.*}}: memref<4xf32, #gpu.address_space<global>> {mlc.access = "read"}, %{{.*}}: memref<4xf32, #gpu.address_space<global>> {mlc.access = "read"}, %{{.*}}: memref<4xf32, #gpu.address_space<global>> {mlc.access = "write"})
func.func private @device(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<4xf32>
    %w = memref.load %y[%tx] : memref<4xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %z[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
func.func private @host(%x: memref<4xf32>, %y: memref<4xf32>) attributes {mlc.place = "host"} {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
