// RUN: mlc-opt %s --convert-gpu-to-rocdl=chipset=gfx942 | FileCheck %s
// RUN: mlc-opt %s --convert-gpu-to-rocdl=chipset=gfx1100 | FileCheck %s --check-prefix=NARROW
// A lane reads the one that it names, by bytes; beyond the end of its segment it reads itself. Waves have 64 lanes, later ones 32.
gpu.module @m {
  // CHECK-LABEL: llvm.func @f
  gpu.func @f(%x: f32, %d: f64, %off: i32, %w: i32, %i: i32, %out: memref<2xf64>) {
    // CHECK: %[[LANE:.*]] = rocdl.mbcnt.hi
    // CHECK: %[[FROM:.*]] = llvm.xor %[[LANE]], %{{.*}} : i32
    // CHECK: %[[OK:.*]] = llvm.icmp "slt" %[[FROM]], %{{.*}} : i32
    // CHECK: %[[SAFE:.*]] = llvm.select %[[OK]], %[[FROM]], %[[LANE]]
    // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: %[[AT:.*]] = llvm.shl %[[SAFE]], %[[TWO]]
    // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
    // CHECK: rocdl.ds_bpermute %[[AT]], %[[BITS]] : (i32, i32) -> i32
    %a, %p = gpu.shuffle xor %x, %off, %w : f32
    // CHECK: llvm.sub %{{.*}}, %{{.*}} : i32
    // CHECK: llvm.icmp "sge"
    // CHECK-COUNT-2: rocdl.ds_bpermute
    %b, %q = gpu.shuffle up %d, %off, %w : f64
    // CHECK: rocdl.ds_bpermute
    %c, %r = gpu.shuffle down %x, %off, %w : f32
    // CHECK: rocdl.ds_bpermute
    %e, %s = gpu.shuffle idx %x, %off, %w : f32
    // CHECK-COUNT-6: rocdl.ds_bpermute
    // CHECK-NOT: rocdl.ds_bpermute
    // NARROW-COUNT-10: rocdl.ds_bpermute
    // NARROW-NOT: rocdl.ds_bpermute
    %sum = gpu.subgroup_reduce add %i uniform : (i32) -> i32
    %c0 = arith.constant 0 : index
    memref.store %b, %out[%c0] : memref<2xf64>
    gpu.return
  }
}
