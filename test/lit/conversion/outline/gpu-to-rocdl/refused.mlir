// RUN: mlc-opt %s --convert-gpu-to-rocdl --split-input-file --verify-diagnostics
// Neither library has such functions, nor has LLVM.
gpu.module @m {
  func.func @f(%x: f128) -> f128 {
    // expected-error@+2 {{failed to legalize operation 'math.acosh'}}
    // expected-note@+1 {{the library has no functions of f128}}
    %0 = math.acosh %x : f128
    return %0 : f128
  }
}

// -----

gpu.module @m {
  func.func @f(%x: vector<[4]xf32>) -> vector<[4]xf32> {
    // expected-error@+2 {{failed to legalize operation 'math.acosh'}}
    // expected-note@+1 {{elements of scalable vectors are not counted}}
    %0 = math.acosh %x : vector<[4]xf32>
    return %0 : vector<[4]xf32>
  }
}

// -----

gpu.module @m {
  // expected-error@+2 {{failed to legalize operation 'gpu.dynamic_shared_memory'}}
  // expected-note@+1 {{it is in no kernel}}
  %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
}
