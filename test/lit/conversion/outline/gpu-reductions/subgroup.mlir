// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions))' | FileCheck %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions{subgroup-size=64}))' | FileCheck %s --check-prefix=WIDE
// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{has-redux}))' | FileCheck %s --check-prefix=REDUX
// Five exchanges of 32 lanes, six of 64; short types go as words, vectors element by element. Newer machines combine i32 at once.
gpu.module @m {
  // CHECK-LABEL: gpu.func @f
  gpu.func @f(%a: i32, %h: f16, %v: vector<2xf32>, %d: f64, %out: memref<1xf16>) {
    // CHECK-COUNT-5: gpu.shuffle xor %{{.*}}, %{{.*}}, %{{.*}} : i32
    // WIDE-COUNT-6: gpu.shuffle xor %{{.*}}, %{{.*}}, %{{.*}} : i32
    // REDUX: nvvm.redux.sync umax %{{.*}}, %{{.*}}
    %0 = gpu.subgroup_reduce maxui %a uniform : (i32) -> i32
    // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
    // CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i32
    // CHECK: gpu.shuffle xor %[[WORD]]
    // CHECK: arith.minimumf %{{.*}} : f16
    // REDUX: nvvm.shfl.sync bfly
    %1 = gpu.subgroup_reduce minimumf %h uniform : (f16) -> f16
    // CHECK: vector.extract %{{.*}}[0]
    // CHECK: vector.extract %{{.*}}[1]
    // CHECK-COUNT-5: arith.addf
    // CHECK: vector.insert
    %2 = gpu.subgroup_reduce add %v uniform : (vector<2xf32>) -> vector<2xf32>
    // CHECK-COUNT-5: gpu.shuffle xor %{{.*}}, %{{.*}}, %{{.*}} : f64
    %3 = gpu.subgroup_reduce mul %d uniform : (f64) -> f64
    %c0 = arith.constant 0 : index
    memref.store %1, %out[%c0] : memref<1xf16>
    gpu.return
  }
}
