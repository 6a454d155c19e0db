// RUN: mlc-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions))'
gpu.module @m {
  gpu.func @f(%x: f32) {
    // expected-error@+1 {{is not uniform: other threads cannot be waited for}}
    %0 = gpu.all_reduce add %x {} : (f32) -> f32
    // expected-error@+1 {{is not uniform: other lanes cannot be waited for}}
    %1 = gpu.subgroup_reduce add %x : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @m {
  func.func @f(%x: f32) {
    // expected-error@+1 {{is in no gpu.func, which would have its buffer}}
    %0 = gpu.all_reduce add %x uniform {} : (f32) -> f32
    return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%x: i128) {
    // expected-error@+1 {{values of more than 64 bits are not exchanged}}
    %0 = gpu.all_reduce add %x uniform {} : (i128) -> i128
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%x: i32) {
    // expected-error@+1 {{has a body of several blocks}}
    %0 = gpu.all_reduce %x uniform {
    ^bb0(%a: i32, %b: i32):
      cf.br ^bb1(%a : i32)
    ^bb1(%c: i32):
      gpu.yield %c : i32
    } : (i32) -> i32
    gpu.return
  }
}
