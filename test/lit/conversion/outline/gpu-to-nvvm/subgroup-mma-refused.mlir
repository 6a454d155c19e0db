// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm))' --split-input-file --verify-diagnostics
gpu.module @m {
  gpu.func @shape(%a: memref<32x32xf16>, %i: index) {
    // expected-error@+2 {{failed to legalize operation 'gpu.subgroup_mma_load_matrix'}}
    // expected-note@+1 {{the machine has no matrix of this shape and type}}
    %x = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<8x8xf16, "AOp">
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @packed(%a: memref<32x32xi8>, %i: index) {
    %x = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 32 : index} : memref<32x32xi8> -> !gpu.mma_matrix<16x16xsi8, "AOp">
    // expected-error@+2 {{failed to legalize operation 'gpu.subgroup_mma_elementwise'}}
    // expected-note@+1 {{its registers do not hold elements of one kind}}
    %y = gpu.subgroup_mma_elementwise addi %x, %x : (!gpu.mma_matrix<16x16xsi8, "AOp">, !gpu.mma_matrix<16x16xsi8, "AOp">) -> !gpu.mma_matrix<16x16xsi8, "AOp">
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @wider(%x: f32) {
    %k = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf32, "COp">
    // expected-error@+2 {{failed to legalize operation 'gpu.subgroup_mma_elementwise'}}
    // expected-note@+1 {{it changes the type of elements}}
    %y = gpu.subgroup_mma_elementwise extf %k : (!gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.return
  }
}
