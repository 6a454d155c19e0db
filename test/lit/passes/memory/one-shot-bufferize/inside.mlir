// RUN: mlc-opt %s --one-shot-bufferize | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize=unknown-type-conversion=identity-layout-map | FileCheck %s --check-prefix=IDENTITY
// RUN: mlc-opt %s --one-shot-bufferize=copy-before-write | FileCheck %s --check-prefix=COPY
// Without function boundaries, arguments and results stay tensors, and arguments are only read.
// CHECK-LABEL: func.func @f(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> tensor<4xf32>
// CHECK: %[[T:.*]] = bufferization.to_memref %arg0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[T]], %[[C]]
// CHECK: memref.store %arg1, %[[C]]
// CHECK-NOT: memref.alloc
// CHECK: memref.store %arg1, %[[C]]
// CHECK: %[[R:.*]] = bufferization.to_tensor %[[C]]
// CHECK: return %[[R]]
// IDENTITY: bufferization.to_memref %arg0 : memref<4xf32>
// COPY-COUNT-2: memref.alloc
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %c1 = arith.constant 1 : index
  %1 = tensor.insert %x into %0[%c1] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// Buffers of others become tensors if they promise to be theirs alone.
// CHECK-LABEL: func.func @buffers(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: f32, %arg3: index)
// CHECK: memref.store %arg2, %arg0[%arg3]
// CHECK: memref.alloc
// CHECK: return
func.func @buffers(%m: memref<4xf32>, %n: memref<4xf32>, %x: f32, %i: index) -> (f32, f32) {
  %0 = bufferization.to_tensor %m restrict writable : memref<4xf32>
  %1 = bufferization.to_tensor %n restrict : memref<4xf32>
  %2 = tensor.insert %x into %0[%i] : tensor<4xf32>
  %3 = tensor.insert %x into %1[%i] : tensor<4xf32>
  %4 = tensor.extract %2[%i] : tensor<4xf32>
  %5 = tensor.extract %3[%i] : tensor<4xf32>
  return %4, %5 : f32, f32
}
