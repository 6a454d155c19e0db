// RUN: mlc-opt %s --gpu-to-runtime --split-input-file --verify-diagnostics
func.func @no_record(%d: memref<4xf32, #gpu.address_space<global>>, %h: memref<4xf32>) {
  // expected-error @+1 {{its function has no call record: parallel-to-runtime comes first}}
  gpu.memcpy %h, %d : memref<4xf32>, memref<4xf32, #gpu.address_space<global>>
  return
}

// -----

func.func @host(%call: !llvm.ptr, %a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-error @+1 {{neither buffer is device memory}}
  gpu.memcpy %a, %b : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @layout(%call: !llvm.ptr, %d: memref<4xf32, strided<[2]>, #gpu.address_space<global>>, %h: memref<4xf32>) {
  // expected-error @+1 {{buffers with a layout are not copied by the runtime}}
  gpu.memcpy %h, %d : memref<4xf32>, memref<4xf32, strided<[2]>, #gpu.address_space<global>>
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @kernel() kernel { gpu.return }
    gpu.func @other() { gpu.return }
  }
  func.func @tokens(%call: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %t = gpu.wait async
    // expected-error @+1 {{launches with tokens are not lowered to the runtime}}
    gpu.launch_func [%t] @device::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module @outer attributes {gpu.container_module} {
  module attributes {gpu.container_module} {
    gpu.module @device {
      gpu.func @kernel() kernel { gpu.return }
    }
    func.func @nested(%call: !llvm.ptr) {
      %c1 = arith.constant 1 : index
      // expected-error @+1 {{its kernel is in no gpu.module of this module}}
      gpu.launch_func @device::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      return
    }
  }
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @kernel(%map: !map) kernel { gpu.return }
  }
  func.func @open_sizes(%call: !llvm.ptr, %d: memref<?x64xf16, #gpu.address_space<global>>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = memref.cast %d : memref<?x64xf16, #gpu.address_space<global>> to memref<*xf16, #gpu.address_space<global>>
    // expected-error @+1 {{the runtime describes tensors whose sizes are known when compiling, as one of the first 64 arguments}}
    %map = nvgpu.tma.create.descriptor %any box[%c64, %c64] : memref<*xf16, #gpu.address_space<global>> -> !map
    gpu.launch_func @device::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !map)
    return
  }
}
