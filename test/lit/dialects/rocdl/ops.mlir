// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt | FileCheck %s
// What AMD's machines have, as MLIR spells it.
// CHECK: %{{.*}} = rocdl.workitem.id.x : i32
// CHECK: %{{.*}} = rocdl.workgroup.dim.x : i32
// CHECK: %{{.*}} = rocdl.mbcnt.lo %{{.*}}, %{{.*}} : (i32, i32) -> i32
// CHECK: %{{.*}} = rocdl.ds_swizzle %{{.*}}, %{{.*}} : (i32, i32) -> i32
// CHECK: %{{.*}} = rocdl.ds_bpermute %{{.*}}, %{{.*}} : (i32, i32) -> i32
// CHECK: rocdl.barrier
// CHECK: rocdl.s.barrier
// CHECK: rocdl.waitcnt 7
// CHECK: rocdl.s.setprio 7
// CHECK: rocdl.sched.barrier 7
// CHECK: %{{.*}} = rocdl.mfma.f32.32x32x1f32 %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
// CHECK: %{{.*}} = rocdl.wmma.f32.16x16x16.f16 %{{.*}}, %{{.*}}, %{{.*}} : (vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
// CHECK: %{{.*}} = rocdl.raw.buffer.load %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: rocdl.raw.buffer.store %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: rocdl.raw.buffer.atomic.fadd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: %{{.*}} = rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr to <8>
// CHECK: %{{.*}} = rocdl.raw.ptr.buffer.load %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: rocdl.raw.ptr.buffer.atomic.fadd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: %{{.*}} = rocdl.raw.ptr.buffer.atomic.cmpswap %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: %{{.*}} = rocdl.cvt.f32.bf8 %{{.*}}[%{{.*}}] : f32
// CHECK: %{{.*}} = rocdl.cvt.pk.bf8.f32 %{{.*}}, %{{.*}} -> %{{.*}}[%{{.*}}] : i32
// CHECK: %{{.*}} = rocdl.cvt.sr.bf8.f32 %{{.*}}, %{{.*}} -> %{{.*}}[%{{.*}}] : i32
// CHECK: %{{.*}} = rocdl.ballot %{{.*}} : i64
// CHECK: gpu.module @a [#rocdl.target, #rocdl.target<chip = "gfx90a">, #rocdl.target<O = 3, triple = "x", features = "+a", abi = "400", flags = {fast}, link = ["a"]>]  {
func.func @f(%i32: i32, %f: f32, %v4: vector<4xf32>, %v16: vector<16xf32>, %v32: vector<32xf32>, %h4: vector<4xf16>, %rsrc: vector<4xi32>, %b: i1, %p: !llvm.ptr, %s: i16, %p8: !llvm.ptr<8>, %i64: i64, %bf2: vector<2xbf16>, %bf4: vector<4xi16>, %h16: vector<16xf16>, %f8: vector<8xf32>, %v2f: vector<2xf32>, %f64: f64, %v4f64: vector<4xf64>, %v4i: vector<4xi32>) {
  %0 = "rocdl.workitem.id.x"() : () -> i32
  %1 = "rocdl.workgroup.dim.x"() : () -> i32
  %2 = "rocdl.mbcnt.lo"(%i32, %i32) : (i32, i32) -> i32
  %3 = "rocdl.ds_swizzle"(%i32, %i32) : (i32, i32) -> i32
  %4 = "rocdl.ds_bpermute"(%i32, %i32) : (i32, i32) -> i32
  "rocdl.barrier"() : () -> ()
  "rocdl.s.barrier"() : () -> ()
  "rocdl.waitcnt"() {bitfield = 7: i32} : () -> ()
  "rocdl.s.setprio"() {priority = 7: i16} : () -> ()
  "rocdl.sched.barrier"() {mask = 7: i32} : () -> ()
  %5 = "rocdl.mfma.f32.32x32x1f32"(%f, %f, %v32, %i32, %i32, %i32) : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
  %6 = "rocdl.wmma.f32.16x16x16.f16"(%h16, %h16, %f8) : (vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
  %7 = "rocdl.raw.buffer.load"(%rsrc, %i32, %i32, %i32) : (vector<4xi32>, i32, i32, i32) -> f32
  "rocdl.raw.buffer.store"(%f, %rsrc, %i32, %i32, %i32) : (f32, vector<4xi32>, i32, i32, i32) -> ()
  "rocdl.raw.buffer.atomic.fadd"(%f, %rsrc, %i32, %i32, %i32) : (f32, vector<4xi32>, i32, i32, i32) -> ()
  %m = "rocdl.make.buffer.rsrc"(%p, %s, %i32, %i32) : (!llvm.ptr, i16, i32, i32) -> !llvm.ptr<8>
  %8 = "rocdl.raw.ptr.buffer.load"(%p8, %i32, %i32, %i32) : (!llvm.ptr<8>, i32, i32, i32) -> f32
  "rocdl.raw.ptr.buffer.store"(%f, %p8, %i32, %i32, %i32) : (f32, !llvm.ptr<8>, i32, i32, i32) -> ()
  "rocdl.raw.ptr.buffer.atomic.fadd"(%f, %p8, %i32, %i32, %i32) : (f32, !llvm.ptr<8>, i32, i32, i32) -> ()
  %9 = "rocdl.raw.ptr.buffer.atomic.cmpswap"(%f, %f, %p8, %i32, %i32, %i32) : (f32, f32, !llvm.ptr<8>, i32, i32, i32) -> f32
  %10 = "rocdl.cvt.f32.bf8"(%i32, %i32) : (i32, i32) -> f32
  %11 = "rocdl.cvt.pk.bf8.f32"(%f, %f, %i32, %b) : (f32, f32, i32, i1) -> i32
  %12 = "rocdl.cvt.sr.bf8.f32"(%f, %i32, %i32, %i32) : (f32, i32, i32, i32) -> i32
  %13 = "rocdl.ballot"(%b) : (i1) -> i64
  return
}
gpu.module @a [#rocdl.target, #rocdl.target<chip = "gfx90a">, #rocdl.target<O = 3, triple = "x", features = "+a", abi = "400", flags = {fast}, link = ["a"]>] {}
