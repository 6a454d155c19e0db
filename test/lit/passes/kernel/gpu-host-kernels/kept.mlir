// RUN: mlc-opt %s --gpu-host-kernels=kernels=half | FileCheck %s --check-prefix=HALF
// RUN: mlc-opt %s --pass-pipeline='gpu-host-kernels{kernels="first,third"}' | FileCheck %s --check-prefix=NAMED
// RUN: mlc-opt %s --gpu-host-kernels | FileCheck %s --check-prefix=SAID
// By the option, else by the module. What is not private is no kernel.
// HALF: @first(%{{.*}}: memref<f32>) {
// HALF: @second(%{{.*}}: memref<f32>) attributes {mlc.place = "host"}
// HALF: @third(%{{.*}}: memref<f32>) {
// NAMED: @first(%{{.*}}: memref<f32>) attributes {mlc.place = "host"}
// NAMED: @second(%{{.*}}: memref<f32>) {
// NAMED: @third(%{{.*}}: memref<f32>) attributes {mlc.place = "host"}
// SAID: @first(%{{.*}}: memref<f32>) {
// SAID: @second(%{{.*}}: memref<f32>) {
// SAID: @third(%{{.*}}: memref<f32>) attributes {mlc.place = "host"}
module attributes {mlc.host_kernels = "third"} {
  func.func private @first(%a: memref<f32>) {
    return
  }
  func.func @main(%a: memref<f32>) {
    return
  }
  func.func private @second(%a: memref<f32>) {
    return
  }
  func.func private @third(%a: memref<f32>) {
    return
  }
}
