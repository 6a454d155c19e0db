// RUN: not mlc-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions{subgroup-size=16}))' 2>&1 | FileCheck %s
// CHECK: subgroup-size must be 32 or 64
gpu.module @m {
}
