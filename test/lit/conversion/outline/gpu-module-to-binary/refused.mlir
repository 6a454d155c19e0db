// REQUIRES: target
// RUN: mlc-opt %s --gpu-module-to-binary --split-input-file --verify-diagnostics
// expected-error@+1 {{the module has no target attributes}}
gpu.module @m {
}

// -----

// expected-error@+1 {{files that its target links are not read}}
gpu.module @m [#nvvm.target<link = ["x.bc"]>] {
}

// -----

// expected-error@+1 {{its target's triple 'x86_64-linux-gnu' is not nvptx's}}
gpu.module @m [#nvvm.target<triple = "x86_64-linux-gnu">] {
}

// -----

// expected-error@+1 {{its target's triple 'nvptx64-nvidia-cuda' is not amdgcn's}}
gpu.module @m [#rocdl.target<triple = "nvptx64-nvidia-cuda">] {
}

// -----

// expected-error@+1 {{code for #nvvm.shape<m = 1, n = 1, k = 1> is not made}}
gpu.module @m [#nvvm.shape<m = 1, n = 1, k = 1>] {
}
