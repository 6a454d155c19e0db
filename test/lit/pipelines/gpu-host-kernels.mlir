// RUN: mlc-opt %s --gpu-graph-pipeline --kernels-pipeline --gpu-linalg-pipeline | FileCheck %s
// RUN: mlc-opt %s --gpu-graph-pipeline --kernels-pipeline --gpu-linalg-pipeline --gpu-launch-pipeline | FileCheck %s --check-prefix=LOOPS
// A kernel that stays on the CPU becomes tiles of vectors, as all do there; its product of halves is one of f32. What runs on
// the device is left to schedules.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: vector.
// CHECK: linalg.matmul
// CHECK-NOT: vector.
// CHECK-LABEL: func.func private @kernel_1
// CHECK-SAME: mlc.place = "host"
// CHECK-NOT: linalg.matmul
// CHECK: vector.fma {{.*}} : vector<{{.*}}xf32>
// LOOPS: func.func private @kernel_0
// LOOPS: gpu.launch_func
// LOOPS: func.func private @kernel_1
// LOOPS-NOT: gpu.
// LOOPS: vector.fma
module attributes {mlc.host_kernels = "kernel_1"} {
  func.func @main(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x128xf16>) -> tensor<64x128xf16> {
    %a = graph.matmul %x, %w : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    %b = graph.matmul %a, %v : (tensor<64x64xf16>, tensor<64x128xf16>) -> tensor<64x128xf16>
    return %b : tensor<64x128xf16>
  }
}
