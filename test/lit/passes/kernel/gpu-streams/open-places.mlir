// RUN: mlc-opt %s --gpu-streams | FileCheck %s
// Of places that are known when the model runs only, two may be one unless both buffers are alive: what writes the second and the
// third waits for what writes the first, which nobody uses then, but they run beside each other. What a function does not say of an
// argument it may do.
// CHECK-LABEL: @main
// CHECK: call @write(%[[A:[a-z_0-9]+]]) {mlc.event = 0 : i64} :
// CHECK: call @write(%[[B:[a-z_0-9]+]]) :
// CHECK: call @write(%[[C:[a-z_0-9]+]]) {mlc.stream = 1 : i64, mlc.waits = [0]} :
// CHECK: call @read(%[[B]]) {mlc.event = 1 : i64} :
// CHECK: call @read(%[[C]]) {mlc.stream = 1 : i64} :
// CHECK: call @any(%[[B]], %[[C]]) {mlc.stream = 1 : i64, mlc.waits = [1]} :
module attributes {mlc.device_memory} {
  func.func @main(%arena: memref<?xi8, #gpu.address_space<global>>, %first: index, %second: index, %third: index) {
    %a = memref.view %arena[%first][] : memref<?xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %b = memref.view %arena[%second][] : memref<?xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    %c = memref.view %arena[%third][] : memref<?xi8, #gpu.address_space<global>> to memref<4xf32, #gpu.address_space<global>>
    call @write(%a) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @write(%b) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @write(%c) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @read(%b) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @read(%c) : (memref<4xf32, #gpu.address_space<global>>) -> ()
    call @any(%b, %c) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    return
  }
  func.func private @write(%x: memref<4xf32, #gpu.address_space<global>> {mlc.access = "write"}) {
    return
  }
  func.func private @read(%x: memref<4xf32, #gpu.address_space<global>> {mlc.access = "read"}) {
    return
  }
  func.func private @any(%x: memref<4xf32, #gpu.address_space<global>>, %y: memref<4xf32, #gpu.address_space<global>>) {
    return
  }
}
