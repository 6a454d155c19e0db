// RUN: mlc-opt %s -o %t.mlc && mlir-opt %s -o %t.mlir && diff %t.mlir %t.mlc
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt -o %t.again && diff %t.mlc %t.again
// REQUIRES: mlir-opt
// Custom syntax as mlir-opt prints it, and the same again by way of the generic form.
module attributes {gpu.container_module} {
gpu.module @m [#nvvm.target<chip = "sm_90">] attributes {foo} {
  gpu.func @k(%a: f32, %m: memref<4xf32>) workgroup(%w : memref<32xf32, 3>) private(%p : memref<1xf32, 5>) kernel attributes {gpu.known_block_size = array<i32: 1, 2, 3>} {
    %t = gpu.thread_id x
    gpu.barrier
    gpu.return
  }
  gpu.func @dev(%a: f32) -> f32 { gpu.return %a : f32 }
  gpu.func @k2() kernel { gpu.return }
}
gpu.module @m2 <#gpu.select_object<0>> [#nvvm.target, #nvvm.target<O = 3, chip = "sm_80">] { }
func.func @f(%n: index, %m: memref<?xf32>, %s: i32, %tok: !gpu.async.token) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %x = memref.load %m[%tx] : memref<?xf32>
    gpu.terminator
  }
  %t = gpu.launch async [%tok] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) dynamic_shared_memory_size %s workgroup(%w : memref<32xf32, 3>) {
    gpu.terminator
  } {foo}
  gpu.launch clusters(%cx, %cy, %cz) in (%csx = %n, %csy = %n, %csz = %n) blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  gpu.launch_func @m::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %t2 = gpu.launch_func async [%t] @m::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %s
  %w = gpu.wait async [%t2]
  %f = arith.constant 1.0 : f32
  %r = gpu.all_reduce add %f {} : (f32) -> f32
  %i32 = arith.constant 1 : i32
  %sh, %pp = gpu.shuffle xor %f, %i32, %i32 : f32
  %mem, %tt = gpu.alloc async [%w] (%n) : memref<?xf32, 1>
  return
}
}
