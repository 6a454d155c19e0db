// RUN: not mlc-opt %s --gpu-module-to-binary=format=fatbin 2>&1 | FileCheck %s
// CHECK: of the formats only isa is made, not fatbin
gpu.module @m [#nvvm.target] {
}
