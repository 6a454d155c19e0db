// RUN: mlc-opt %s --gpu-kernel-outlining | FileCheck %s
// A module without launches gets neither kernels nor the mark of a container.
// CHECK-NOT: gpu.
// CHECK: func.func @f
// CHECK-NOT: gpu.
func.func @f(%x: i32) -> i32 {
  return %x : i32
}
