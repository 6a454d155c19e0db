// RUN: mlc-opt %s --gpu-to-llvm --split-input-file --verify-diagnostics
// What has no call of the library says why. A launch goes into one stream.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k() attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @two(%n: index) {
    %a = gpu.wait async
    %b = gpu.wait async
    // expected-error@+2 {{failed to legalize operation 'gpu.launch_func'}}
    // expected-note@+1 {{it waits for more than one token}}
    %c = gpu.launch_func async [%a, %b] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k() attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @none(%n: index) {
    %a = gpu.wait async
    // expected-error@+2 {{failed to legalize operation 'gpu.launch_func'}}
    // expected-note@+1 {{it waits for a token and makes none}}
    gpu.launch_func [%a] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+2 {{failed to legalize operation 'gpu.memcpy'}}
  // expected-note@+1 {{it makes no token: gpu-async-region comes first}}
  gpu.memcpy %m, %m : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.memcpy'}}
  // expected-note@+1 {{it must wait for one token, and has 2}}
  %u = gpu.memcpy async [%t, %t] %m, %m : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32, strided<[2]>>) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.memcpy'}}
  // expected-note@+1 {{a buffer has a layout}}
  %u = gpu.memcpy async [%t] %m, %m : memref<8xf32, strided<[2]>>, memref<8xf32, strided<[2]>>
  return
}

// -----

func.func @f(%m: memref<8xf32, strided<[2]>>, %x: f32) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.memset'}}
  // expected-note@+1 {{the buffer has a layout}}
  %u = gpu.memset async [%t] %m, %x : memref<8xf32, strided<[2]>>, f32
  return
}

// -----

func.func @f(%m: memref<8xf64>, %x: f64) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.memset'}}
  // expected-note@+1 {{only words of 16 and 32 bits can be filled in}}
  %u = gpu.memset async [%t] %m, %x : memref<8xf64>, f64
  return
}

// -----

func.func @f() {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.alloc'}}
  // expected-note@+1 {{its type has a layout}}
  %m, %u = gpu.alloc async [%t] () : memref<8xf32, strided<[2]>>
  return
}

// -----

func.func @f() {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.alloc'}}
  // expected-note@+1 {{memory of both sides is not allocated in a stream}}
  %m, %u = gpu.alloc async [%t] host_shared () : memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<2x2x2xf32>, %n: index) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.create_dn_tensor'}}
  // expected-note@+1 {{tensors of 3 dimensions are none}}
  %d, %u = gpu.create_dn_tensor async [%t] %m, %n, %n, %n : index, index, index into memref<2x2x2xf32>
  return
}

// -----

func.func @f(%m: memref<8xf8E5M2>, %i: memref<8xindex>, %n: index) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.create_coo'}}
  // expected-note@+1 {{the library has no such type of elements}}
  %d, %u = gpu.create_coo async [%t] %n, %n, %n, %i, %i, %m : memref<8xindex>, memref<8xindex>, memref<8xf8E5M2>
  return
}

// -----

func.func @f(%d: !gpu.sparse.dntensor_handle, %a: !gpu.sparse.spmat_handle) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.spmm_buffer_size'}}
  // expected-note@+1 {{it asks for another number of sizes}}
  %x, %y, %u = gpu.spmm_buffer_size async [%t] %a, %d, %d : index, index into f32
  return
}

// -----

func.func @f(%d: !gpu.sparse.dntensor_handle) {
  %t = gpu.wait async
  // expected-error@+2 {{failed to legalize operation 'gpu.destroy_dn_tensor'}}
  // expected-note@+1 {{its tensor is not created in this function}}
  %u = gpu.destroy_dn_tensor async [%t] %d
  return
}

// -----

func.func @f(%m: memref<16x16xf16>, %n: index, %d: !gpu.sparse.dntensor_handle) {
  %t = gpu.wait async
  %a, %b = gpu.create_2to4_spmat async [%t] {PRUNE_ONLY} %n, %n, %m : memref<16x16xf16>
  // expected-error@+2 {{failed to legalize operation 'gpu.spmm_buffer_size'}}
  // expected-note@+1 {{2:4 products add f16 or i32, and ask for 3 sizes}}
  %x, %y = gpu.spmm_buffer_size async [%b] %a, %d, %d : index into f16
  return
}

// -----

func.func @f(%m: memref<16x16xf16>, %n: index, %d: !gpu.sparse.dntensor_handle, %w: memref<8xi8>) {
  %t = gpu.wait async
  %a, %b = gpu.create_2to4_spmat async [%t] {PRUNE_ONLY} %n, %n, %m : memref<16x16xf16>
  // expected-error@+2 {{failed to legalize operation 'gpu.spmm'}}
  // expected-note@+1 {{2:4 products take 3 buffers}}
  %x = gpu.spmm async [%b] %a, %d, %d, %w : memref<8xi8> into f16
  return
}
