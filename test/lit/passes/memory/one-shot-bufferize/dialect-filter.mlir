// RUN: mlc-opt %s --one-shot-bufferize='dialect-filter=tensor,bufferization copy-before-write unknown-type-conversion=identity-layout-map' | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize='dialect-filter=linalg bufferize-function-boundaries' | FileCheck %s --check-prefix=LINALG
// RUN: mlc-opt %s --one-shot-bufferize='dialect-filter=tensor,scf,func bufferize-function-boundaries' | mlc-opt - --interpret | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --interpret | FileCheck %s --check-prefix=VALUES
// VALUES: dense<[6.000000e+00, 6.000000e+00, 1.200000e+01, 1.500000e+01]>
// CHECK-LABEL: func.func private @f(
// CHECK: %[[M:.*]] = bufferization.to_memref %arg0 : memref<4xf32>
// CHECK: memref.copy %[[M]], %[[A:.*]] :
// CHECK: memref.store %arg2, %[[A]][%arg3]
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[A]]
// CHECK: %[[R:.*]] = linalg.add ins(%[[T]], %{{.*}} : tensor<4xf32>, tensor<4xf32>) outs(%arg1 : tensor<4xf32>)
// CHECK: bufferization.to_memref %[[R]] : memref<4xf32>
// CHECK: memref.store
// CHECK: scf.for {{.*}} -> (tensor<4xf32>)
// Functions are of the dialect func.
// LINALG-LABEL: func.func private @f(
// LINALG-SAME: tensor<4xf32>
// LINALG: tensor.insert
// LINALG: linalg.add ins({{.*}} : memref<
func.func private @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %c2 = arith.constant 2 : index
  %2 = tensor.insert %x into %1[%i] : tensor<4xf32>
  %3 = scf.for %k = %i to %c2 step %c2 iter_args(%a = %2) -> tensor<4xf32> {
    %b = linalg.add ins(%a, %0 : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %3 : tensor<4xf32>
}
func.func @main() -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 3.0 : f32
  %y = arith.constant 2.0 : f32
  %z = arith.constant 4.0 : f32
  %w = arith.constant 5.0 : f32
  %t = tensor.from_elements %x, %y, %z, %w : tensor<4xf32>
  %u = tensor.empty() : tensor<4xf32>
  %r = call @f(%t, %u, %x, %c0) : (tensor<4xf32>, tensor<4xf32>, f32, index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
