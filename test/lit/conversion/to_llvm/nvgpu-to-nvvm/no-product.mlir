// RUN: not mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' 2>&1 | FileCheck %s
// A product of f32 that must not be rounded is none that matrix instructions compute.
gpu.module @m {
  gpu.func @f(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) kernel {
    // CHECK: [[@LINE+2]]:{{.*}}: error: failed to legalize operation 'nvgpu.mma.sync'
    // CHECK: f32 has no product unless it is rounded to tf32
    %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8]} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    gpu.return
  }
}
