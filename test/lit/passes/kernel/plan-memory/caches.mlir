// RUN: mlc-opt %s --plan-memory | FileCheck %s
// A size that the function is told is an output's, and is read from the table; the runtime is told
// which output grows in which input's memory, by numbers of sizes.
// CHECK: mlc.shapes = {buffers = [], caches = [array<i64: 0, 0, 0, [[PAST:[0-9]+]], [[PRESENT:[0-9]+]], [[ROOM:[0-9]+]]>]
// CHECK-SAME: inputs = [array<i64: [[PAST]], -1>, array<i64: [[SEQ:[0-9]+]], -1>], outputs = [array<i64: [[ROOM]], -1>]
// CHECK-SAME: sizes = ["past", "seq", "room", "past + seq"]
// CHECK-LABEL: func.func @main(
// CHECK-SAME: memref<4xi64>, %{{[a-z0-9]+}}: memref<f32>, %{{[a-z0-9]+}}: memref<f32>, %{{[a-z0-9]+}}: memref<f32>)
// CHECK: call @kernel_0
func.func @main(%past: memref<?x8xf32> {mlc.name = "past", mlc.dims = ["past", ""]}, %x: memref<?x8xf32> {mlc.name = "x", mlc.dims = ["seq", ""]}, %room: index {mlc.size = "room"}, %y: memref<?x8xf32> {mlc.result, mlc.name = "y", mlc.dims = ["room", ""]}) attributes {mlc.caches = [[0, 0, 0, "past", "past + seq", "room"]]} {
  call @kernel_0(%x, %y, %room) : (memref<?x8xf32>, memref<?x8xf32>, index) -> ()
  return
}
func.func private @kernel_0(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %room: index) {
  return
}
