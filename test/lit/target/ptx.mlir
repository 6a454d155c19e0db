// RUN: mlc-translate %s --export-ptx | FileCheck %s
// A kernel of a gpu.module: an entry with its bounds; the host's functions stay out.
// CHECK: .target sm_80
// CHECK-NOT: host
// CHECK: .visible .entry scale(
// CHECK: .maxntid 128, 1, 1
llvm.func @host() {
  llvm.return
}
gpu.module @kernels {
  llvm.func @scale(%p: !llvm.ptr<1>, %by: f32) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    // CHECK: mov.u32 %r{{[0-9]+}}, %tid.x;
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    // CHECK: ld.global.f32
    %x = llvm.load %at : !llvm.ptr<1> -> f32
    // CHECK: mul.rn.f32
    %y = llvm.fmul %x, %by : f32
    nvvm.barrier0
    // CHECK: bar.sync
    // CHECK: st.global.f32
    llvm.store %y, %at : f32, !llvm.ptr<1>
    llvm.return
  }
}
