// RUN: mlc-opt %s --convert-gpu-to-rocdl | FileCheck %s
// RUN: mlc-opt %s --convert-gpu-to-rocdl='use-bare-ptr-memref-call-conv' | FileCheck %s --check-prefix=BARE
// Kernels for AMD: ids are registers with their ranges, stacks lie in space 5, functions of math are the library's.
// CHECK: gpu.module @m attributes {llvm.data_layout = "e-p:64:64
gpu.module @m {
  // CHECK: llvm.mlir.global internal @__wg_k_0() {addr_space = 3 : i32} : !llvm.array<16 x f32>
  // CHECK: llvm.func @k(%{{.*}}: f32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
  // CHECK-SAME: rocdl.flat_work_group_size = "1536,1536"
  // CHECK-SAME: rocdl.kernel
  // CHECK-SAME: rocdl.reqd_work_group_size = array<i32: 8, 12, 16>
  // BARE: llvm.func @k(%{{.*}}: f32, %{{.*}}: !llvm.ptr<1>)
  gpu.func @k(%x: f32, %out: memref<4xf32, #gpu.address_space<global>>)
      workgroup(%w: memref<8x2xf32, #gpu.address_space<workgroup>>)
      private(%p: memref<3xf32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 8, 12, 16>, known_grid_size = array<i32: 20, 24, 28>} {
    %c0 = arith.constant 0 : index
    // CHECK: llvm.alloca %{{.*}} x f32 : (i64) -> !llvm.ptr<5>
    // CHECK: %[[ID:.*]] = rocdl.workitem.id.x {range = array<i32: 0, 8>} : i32
    // CHECK: llvm.sext %[[ID]] : i32 to i64
    %i = gpu.thread_id x
    // CHECK: rocdl.workgroup.id.z {range = array<i32: 0, 28>} : i32
    %b = gpu.block_id z
    // CHECK: rocdl.workgroup.dim.y : i32
    %d = gpu.block_dim y
    // CHECK: rocdl.grid.dim.y : i32
    %g = gpu.grid_dim y
    // CHECK: rocdl.mbcnt.lo
    // CHECK: rocdl.mbcnt.hi
    %l = gpu.lane_id
    // CHECK: llvm.mlir.constant(64 : i64)
    %s = gpu.subgroup_size : index
    // CHECK: rocdl.workgroup.id.x
    // CHECK: rocdl.workgroup.dim.x
    // CHECK: rocdl.workitem.id.x
    %id = gpu.global_id x
    // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
    memref.store %x, %w[%i, %c0] : memref<8x2xf32, #gpu.address_space<workgroup>>
    // CHECK: rocdl.barrier
    gpu.barrier
    // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<5>
    memref.store %x, %p[%c0] : memref<3xf32, #gpu.address_space<private>>
    // CHECK: llvm.call @__ocml_exp_f32(%{{.*}}) : (f32) -> f32
    %e = math.exp %x : f32
    // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<1>
    memref.store %e, %out[%id] : memref<4xf32, #gpu.address_space<global>>
    gpu.return
  }
  // The machine has no arithmetic of bf16: its bits pass through.
  // CHECK: llvm.func @bits(%{{.*}}: i16, %{{.*}}: vector<4xi16>) -> i16
  func.func @bits(%x: bf16, %v: vector<4xbf16>) -> bf16 {
    return %x : bf16
  }
}
