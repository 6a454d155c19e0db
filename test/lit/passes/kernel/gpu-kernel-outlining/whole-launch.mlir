// RUN: mlc-opt %s --gpu-kernel-outlining=data-layout-str='#dlti.dl_spec<#dlti.dl_entry<index,32:i32>>' | FileCheck %s
// All that a launch may have comes along: clusters, tokens, blocks, memory of its own, and functions and globals that it names.
// CHECK-LABEL: llvm.func @f(
// CHECK: %[[T:.*]] = gpu.wait async
// CHECK: %[[U:.*]] = gpu.launch_func async [%[[T]]] @f_kernel::@f_kernel clusters in (%{{.*}}) blocks in (%{{.*}}) threads in (%{{.*}}) dynamic_shared_memory_size %{{.*}} args(%{{.*}} : index)
// CHECK: gpu.wait [%[[U]]]
// CHECK: gpu.module @f_kernel attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>}
// CHECK: gpu.func @f_kernel(%[[N:.*]]: index) workgroup(%[[W:.*]] : memref<8xf32, 3>) private(%[[P:.*]] : memref<2xf32, 5>) kernel attributes {known_block_size = array<i32: 2, 2, 2>}
// CHECK: %[[C:.*]] = gpu.cluster_id x
// CHECK: gpu.cluster_dim z
// CHECK: cf.br ^[[NEXT:.*]]
// CHECK: ^[[NEXT]]:
// CHECK: memref.load %[[W]][%[[C]]]
// CHECK: memref.load %[[P]][%[[N]]]
// CHECK: func.call @deep
// CHECK: gpu.return
// CHECK: func.func private @deep
// CHECK: call @deeper
// CHECK: func.func private @deeper
// CHECK: llvm.mlir.addressof @table
// CHECK: llvm.mlir.global internal @table
llvm.mlir.global internal @table(42 : i64) : i64
llvm.func @f(%arg: i64, %bytes: i32) {
  %n = builtin.unrealized_conversion_cast %arg : i64 to index
  %c2 = arith.constant 2 : index
  %t = gpu.wait async
  %u = gpu.launch async [%t] clusters(%cx, %cy, %cz) in (%dx = %c2, %dy = %c2, %dz = %c2)
      blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c2, %gz = %c2) threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c2, %sz = %c2)
      dynamic_shared_memory_size %bytes
      workgroup(%w: memref<8xf32, 3>) private(%p: memref<2xf32, 5>) {
    cf.br ^next
  ^next:
    %x = memref.load %w[%cx] : memref<8xf32, 3>
    %y = memref.load %p[%n] : memref<2xf32, 5>
    func.call @deep() : () -> ()
    gpu.terminator
  }
  gpu.wait [%u]
  llvm.return
}
func.func private @deep() {
  call @deeper() : () -> ()
  return
}
func.func private @deeper() {
  call @deep() : () -> ()
  %a = llvm.mlir.addressof @table : !llvm.ptr
  return
}
