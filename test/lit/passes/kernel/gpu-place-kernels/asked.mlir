// RUN: mlc-opt %s --gpu-schedule --gpu-place-kernels --verify-diagnostics | FileCheck %s
// CHECK-LABEL: func.func private @first(%{{.*}}) attributes {{.*}}mlc.place = "host"
// expected-remark @+1 {{runs on the CPU: its attribute 'mlc.place' asks for it}}
func.func private @first(%a: memref<f32>, %x: f32) attributes {mlc.place = "host"} {
  memref.store %x, %a[] : memref<f32>
  return
}
// CHECK-LABEL: func.func private @second(
// CHECK: gpu.launch
func.func private @second(%a: memref<f32>, %x: f32) {
  memref.store %x, %a[] : memref<f32>
  return
}
