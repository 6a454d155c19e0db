// RUN: not mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' --split-input-file 2>&1 | FileCheck %s
// Tiles that no instruction of a warpgroup reads.
!a = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
gpu.module @deep {
  gpu.func @f(%a: !a, %b: !b, %c: !acc) kernel {
    // CHECK: error: failed to legalize operation 'nvgpu.warpgroup.mma'
    // CHECK: rows of its tiles are not of 128 bytes
    %d = nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !acc -> !acc
    gpu.return
  }
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
gpu.module @flat {
  gpu.func @f(%tile: memref<64x64xf16, 3>, %map: !map) kernel {
    // CHECK: error: failed to legalize operation 'nvgpu.warpgroup.generate.descriptor'
    // CHECK: rows of its tile are not of 128 bytes
    %d = nvgpu.warpgroup.generate.descriptor %tile, %map : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
    gpu.return
  }
}

// -----

gpu.module @halves {
  gpu.func @f() kernel {
    // CHECK: error: failed to legalize operation 'nvgpu.warpgroup.mma.init.accumulator'
    %c = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf16>>
    %d = nvgpu.warpgroup.mma.wait %c : !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf16>>
    gpu.return
  }
}
