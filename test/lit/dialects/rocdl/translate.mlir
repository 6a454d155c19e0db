// REQUIRES: target
// RUN: mlc-translate %s --mlir-to-llvmir | FileCheck %s
// Ops are the intrinsics of their names, as mlir-translate has them.
// CHECK: call i32 @llvm.amdgcn.workitem.id.x()
// CHECK: call i32 @llvm.amdgcn.workgroup.id.y()
// CHECK: call i32 @llvm.amdgcn.mbcnt.lo(i32 %{{.*}}, i32 %{{.*}})
// CHECK: call i32 @llvm.amdgcn.mbcnt.hi(i32 %{{.*}}, i32 %{{.*}})
// CHECK: call i32 @llvm.amdgcn.ds.swizzle(i32 %{{.*}}, i32 0)
// CHECK: call i32 @llvm.amdgcn.ds.bpermute(i32 %{{.*}}, i32 %{{.*}})
// CHECK: call void @llvm.amdgcn.s.barrier()
// CHECK: call void @llvm.amdgcn.s.waitcnt(i32 7)
// CHECK: call void @llvm.amdgcn.s.setprio(i16 3)
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 7)
// CHECK: call <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float %{{.*}}, float %{{.*}}, <32 x float> %{{.*}}, i32 0, i32 0, i32 0)
// CHECK: call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8bf16.1k(<4 x i16> %{{.*}}, <4 x i16> %{{.*}}, <16 x float> %{{.*}}, i32 0, i32 0, i32 0)
// CHECK: call <4 x double> @llvm.amdgcn.mfma.f64.16x16x4f64(double %{{.*}}, double %{{.*}}, <4 x double> %{{.*}}, i32 0, i32 0, i32 0)
// CHECK: call <4 x i32> @llvm.amdgcn.mfma.i32.16x16x32.i8(i64 %{{.*}}, i64 %{{.*}}, <4 x i32> %{{.*}}, i32 0, i32 0, i32 0)
// CHECK: call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %{{.*}}, i64 %{{.*}}, <4 x float> %{{.*}}, i32 0, i32 0, i32 0)
// CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %{{.*}}, <16 x half> %{{.*}}, <8 x float> %{{.*}})
// CHECK: call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call void @llvm.amdgcn.raw.buffer.store.f32(float %{{.*}}, <4 x i32> %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call float @llvm.amdgcn.raw.buffer.atomic.fadd.f32(float %{{.*}}, <4 x i32> %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p0(ptr %{{.*}}, i16 %{{.*}}, i32 %{{.*}}, i32 %{{.*}})
// CHECK: call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %{{.*}}, ptr addrspace(8) %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call float @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(float %{{.*}}, ptr addrspace(8) %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 %{{.*}}, i32 %{{.*}}, ptr addrspace(8) %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call float @llvm.amdgcn.cvt.f32.bf8(i32 %{{.*}}, i32 0)
// CHECK: call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %{{.*}}, float %{{.*}}, i32 %{{.*}}, i1 true)
// CHECK: call i32 @llvm.amdgcn.cvt.sr.bf8.f32(float %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 0)
// CHECK: call i64 @llvm.amdgcn.ballot.i64(i1 %{{.*}})
llvm.func @f(%i32: i32, %f: f32, %v4: vector<4xf32>, %v32: vector<32xf32>, %rsrc: vector<4xi32>, %b: i1, %p: !llvm.ptr, %s: i16, %p8: !llvm.ptr<8>, %h16: vector<16xf16>, %f8: vector<8xf32>, %bf4: vector<4xi16>, %h4: vector<4xf16>, %f64: f64, %v4f64: vector<4xf64>, %v4i: vector<4xi32>, %v16: vector<16xf32>, %i64: i64, %v8i: vector<8xi32>) {
  %z = llvm.mlir.constant(0 : i32) : i32
  %0 = rocdl.workitem.id.x : i32
  %1 = rocdl.workgroup.id.y : i32
  %2 = rocdl.mbcnt.lo %i32, %i32 : (i32, i32) -> i32
  %22 = rocdl.mbcnt.hi %i32, %i32 : (i32, i32) -> i32
  %3 = rocdl.ds_swizzle %i32, %z : (i32, i32) -> i32
  %4 = rocdl.ds_bpermute %i32, %i32 : (i32, i32) -> i32
  rocdl.s.barrier
  rocdl.waitcnt 7
  rocdl.s.setprio 3
  rocdl.sched.barrier 7
  %5 = rocdl.mfma.f32.32x32x1f32 %f, %f, %v32, %z, %z, %z : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
  %15 = rocdl.mfma.f32.32x32x8bf16.1k %bf4, %bf4, %v16, %z, %z, %z : (vector<4xi16>, vector<4xi16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
  %16 = rocdl.mfma.f64.16x16x4f64 %f64, %f64, %v4f64, %z, %z, %z : (f64, f64, vector<4xf64>, i32, i32, i32) -> vector<4xf64>
  %17 = rocdl.mfma.i32.16x16x32.i8 %i64, %i64, %v4i, %z, %z, %z : (i64, i64, vector<4xi32>, i32, i32, i32) -> vector<4xi32>
  %18 = rocdl.mfma.f32.16x16x32.bf8.fp8 %i64, %i64, %v4, %z, %z, %z : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %6 = rocdl.wmma.f32.16x16x16.f16 %h16, %h16, %f8 : (vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
  %7 = rocdl.raw.buffer.load %rsrc, %i32, %i32, %z : f32
  rocdl.raw.buffer.store %f, %rsrc, %i32, %i32, %z : f32
  rocdl.raw.buffer.atomic.fadd %f, %rsrc, %i32, %i32, %z : f32
  %m = rocdl.make.buffer.rsrc %p, %s, %i32, %i32 : !llvm.ptr to <8>
  %8 = rocdl.raw.ptr.buffer.load %p8, %i32, %i32, %z : f32
  rocdl.raw.ptr.buffer.store %f, %p8, %i32, %i32, %z : f32
  rocdl.raw.ptr.buffer.atomic.fadd %f, %p8, %i32, %i32, %z : f32
  %9 = rocdl.raw.ptr.buffer.atomic.cmpswap %i32, %i32, %p8, %i32, %i32, %z : i32
  %10 = rocdl.cvt.f32.bf8 %i32[%z] : f32
  %t = llvm.mlir.constant(true) : i1
  %11 = rocdl.cvt.pk.fp8.f32 %f, %f -> %i32[%t] : i32
  %12 = rocdl.cvt.sr.bf8.f32 %f, %i32 -> %i32[%z] : i32
  %13 = rocdl.ballot %b : i64
  llvm.return
}
