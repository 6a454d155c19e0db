// RUN: mlc-opt %s --bufferize --canonicalize --cse | FileCheck %s
// A tile is cut out, filled and put back in place: no allocation, no copy, the result is built in its destination.
// CHECK-LABEL: func.func private @tiles(
// CHECK-SAME: %[[OUT:.*]]: memref<4x8xf32>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[TILE:.*]] = memref.subview %[[OUT]][%[[I]], 0] [1, 8] [1, 1]
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[TILE]]
func.func private @tiles() -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %init = tensor.empty() : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (tensor<4x8xf32>) {
    %s = tensor.extract_slice %acc[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %f = linalg.fill ins(%one : f32) outs(%s : tensor<1x8xf32>) -> tensor<1x8xf32>
    %n = tensor.insert_slice %f into %acc[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    scf.yield %n : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
