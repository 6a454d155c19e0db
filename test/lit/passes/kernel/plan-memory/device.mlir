// RUN: mlc-opt %s --plan-memory | FileCheck %s
// One plan: a buffer on the device has a place in its arena, and those of the host are at other offsets of theirs.
// CHECK: module attributes {
// CHECK-SAME: mlc.arena_bytes = 128 : i64
// CHECK-SAME: mlc.device_memory
memref.global "private" constant @w : memref<4xf32> = dense<1.0>
memref.global "private" constant @w_device : memref<4xf32, #gpu.address_space<global>> = dense<1.0>
// CHECK-LABEL: func.func @main(%arg0: memref<128xi8>, %arg1: memref<64xi8>, %arg2: memref<0xi8>, %arg3: memref<128xi8, #gpu.address_space<global>>, %arg4: memref<64xi8, #gpu.address_space<global>>, %arg5: memref<4xf32>)
func.func @main(%in: memref<4xf32>) {
  // CHECK: memref.view %arg4[%{{.*}}][] : memref<64xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
  %w = memref.get_global @w_device : memref<4xf32, #gpu.address_space<global>>
  // CHECK: memref.view %arg1
  %h = memref.get_global @w : memref<4xf32>
  // CHECK: memref.view %arg3
  %d = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  // CHECK: memref.view %arg0
  %a = memref.alloc() : memref<4xf32>
  gpu.memcpy %d, %in : memref<4xf32, #gpu.address_space<global>>, memref<4xf32>
  gpu.memcpy %a, %d : memref<4xf32>, memref<4xf32, #gpu.address_space<global>>
  gpu.memcpy %d, %w : memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>
  memref.copy %h, %a : memref<4xf32> to memref<4xf32>
  return
}
