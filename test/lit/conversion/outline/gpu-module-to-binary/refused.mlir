// RUN: mlc-opt %s --gpu-module-to-binary --split-input-file --verify-diagnostics
// expected-error@+1 {{the module has no target attributes}}
gpu.module @m {
}

// -----

// expected-error@+1 {{files that its target links are not read}}
gpu.module @m [#nvvm.target<link = ["x.bc"]>] {
}

// -----

// expected-error@+1 {{is for no GPU of NVIDIA: its triple is 'x86_64-linux-gnu'}}
gpu.module @m [#nvvm.target<triple = "x86_64-linux-gnu">] {
}
