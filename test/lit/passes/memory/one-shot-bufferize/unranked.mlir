// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s
// A tensor of unknown rank is a buffer of unknown rank.
// CHECK: func.func private @show(memref<*xf32>)
// CHECK: %[[U:.*]] = memref.cast %{{.*}} : memref<4xf32{{.*}}> to memref<*xf32>
// CHECK: call @show(%[[U]]) : (memref<*xf32>) -> ()
func.func private @show(tensor<*xf32>)
func.func @f(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  call @show(%0) : (tensor<*xf32>) -> ()
  return
}
