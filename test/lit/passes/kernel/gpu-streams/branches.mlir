// RUN: mlc-opt %s --gpu-streams | FileCheck %s
// RUN: mlc-opt %s --gpu-streams=streams=1 | FileCheck %s --check-prefix=ONE
// Two branches of what is copied in run beside each other, and meet again. The last kernel writes where the first branch's buffer
// was, which nobody reads by then but the kernel that is waited for. What is copied to the host now lets all streams meet.
// ONE-NOT: mlc.stream
// ONE-NOT: mlc.waits
// CHECK: gpu.memcpy %{{.*}}, %{{.*}} {mlc.event = 0 : i64}
// CHECK: call @scale(%{{.*}}, %{{.*}}) {mlc.event = 1 : i64} :
// CHECK: call @scale(%{{.*}}, %{{.*}}) {mlc.stream = 1 : i64, mlc.waits = [0]} :
// CHECK: call @add(%{{.*}}, %{{.*}}, %{{.*}}) {mlc.stream = 1 : i64, mlc.waits = [1]} :
// CHECK: call @scale(%{{.*}}, %{{.*}}) {mlc.stream = 1 : i64} :
// CHECK: gpu.memcpy %{{.*}}, %{{.*}} {mlc.stream = 1 : i64}
// CHECK: call @scale(%{{.*}}, %{{.*}}) :
// CHECK: call @host(%{{.*}}) {mlc.submit} :
// CHECK: func.func private @scale(%{{.*}}: memref<4xf32, #gpu.address_space<global>>, %{{.*}}: memref<4xf32, #gpu.address_space<global>>) {
module attributes {mlc.device_memory} {
  func.func @main(%arena: memref<256xi8, #gpu.address_space<global>>, %in: memref<4xf32>, %out: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %x = memref.view %arena[%c0][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %a = memref.view %arena[%c64][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %b = memref.view %arena[%c128][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %y = memref.view %arena[%c192][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %again = memref.view %arena[%c64][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    gpu.memcpy %x, %in : memref<4xf32, #gpu.address_space<global>>, memref<4xf32>
    call @scale(%x, %a) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    call @scale(%x, %b) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    call @add(%a, %b, %y) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    call @scale(%y, %again) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    gpu.memcpy %out, %again : memref<4xf32>, memref<4xf32, #gpu.address_space<global>>
    call @scale(%y, %b) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    call @host(%out) : (memref<4xf32>) -> ()
    return
  }
  func.func private @scale(%x: memref<4xf32, #gpu.address_space<global>> {mlc.access = "read"}, %y: memref<4xf32, #gpu.address_space<global>> {mlc.access = "write"}) {
    return
  }
  func.func private @add(%a: memref<4xf32, #gpu.address_space<global>> {mlc.access = "read"}, %b: memref<4xf32, #gpu.address_space<global>> {mlc.access = "read"}, %y: memref<4xf32, #gpu.address_space<global>> {mlc.access = "write"}) {
    return
  }
  func.func private @host(%x: memref<4xf32>) attributes {mlc.place = "host"} {
    return
  }
}
