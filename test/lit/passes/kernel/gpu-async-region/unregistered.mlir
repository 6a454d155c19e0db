// RUN: mlc-opt %s --gpu-async-region --allow-unregistered-dialect | FileCheck %s
// What is not known may be seen.
// CHECK: %[[T:.*]] = gpu.memcpy async
// CHECK: gpu.wait [%[[T]]]
// CHECK: "some.op"
func.func @f(%a: memref<8xf32>) {
  gpu.memcpy %a, %a : memref<8xf32>, memref<8xf32>
  "some.op"() : () -> ()
  return
}
