// RUN: mlc-opt %s --gpu-place-kernels=host-every=2 --verify-diagnostics | FileCheck %s
// CHECK-LABEL: func.func private @first(%{{.*}}) attributes {{.*}}mlc.place = "host"
// expected-remark @+1 {{runs on the CPU: the option 'host-every' asks for it}}
func.func private @first(%a: memref<f32>, %x: f32) {
  memref.store %x, %a[] : memref<f32>
  return
}
// CHECK-LABEL: func.func private @second(
// CHECK: gpu.launch
func.func private @second(%a: memref<f32>, %x: f32) {
  memref.store %x, %a[] : memref<f32>
  return
}
