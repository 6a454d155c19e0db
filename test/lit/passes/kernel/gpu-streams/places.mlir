// RUN: mlc-opt %s --gpu-streams | FileCheck %s
// RUN: not mlc-opt %s --gpu-streams=streams=9 2>&1 | FileCheck %s --check-prefix=MANY
// Places in the arena are dependences: where they overlap, and, of places that are known when the model runs only, where one buffer
// is not used any more when the other is. What a function does not say of an argument it may do.
// MANY: there are 1 to 8 streams, not 9
// CHECK-LABEL: @main
// CHECK: call @write(%{{.*}}) {mlc.event = 0 : i64} :
// CHECK: call @write(%{{.*}}) {mlc.stream = 1 : i64} :
// CHECK: call @write(%{{.*}}) {mlc.stream = 1 : i64, mlc.waits = [0]} :
module attributes {mlc.device_memory} {
  func.func @main(%arena: memref<256xi8, #gpu.address_space<global>>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %a = memref.view %arena[%c0][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %b = memref.view %arena[%c16][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %over = memref.view %arena[%c8][] : memref<256xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    call @write(%a) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @write(%b) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @write(%over) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    return
  }
  func.func private @write(%x: memref<4xf32, #gpu.address_space<global>> {mlc.access = "write"}) {
    return
  }
}
