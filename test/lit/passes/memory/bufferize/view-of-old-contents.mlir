// RUN: mlc-opt %s --bufferize | FileCheck %s
// A slice that is cut after a write shows what was there before it, where it is cut from the old tensor: the write is not in place.
// CHECK-LABEL: func.func @later
// CHECK-DAG: %[[OLD:.*]] = memref.alloc() {{.*}}memref<2x8xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[OLD]] :
// CHECK: memref.copy %[[OLD]], %[[NEW:.*]] :
// CHECK: vector.transfer_write %{{.*}}, %[[NEW]]
// CHECK: memref.subview %[[OLD]][1, 0]
func.func @later(%v: vector<8xf32>) -> (tensor<2x8xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x8xf32>
  %old = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %new = vector.transfer_write %v, %old[%i, %i] {in_bounds = [true]} : vector<8xf32>, tensor<2x8xf32>
  %slice = tensor.extract_slice %old[1, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<1x8xf32>
  %x = tensor.extract %slice[%i, %i] : tensor<1x8xf32>
  return %new, %x : tensor<2x8xf32>, f32
}

// What a loop adds to a slice of a tensor from outside begins anew in each iteration.
// CHECK-LABEL: func.func @each_iteration
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[START:.*]] :
// CHECK: scf.for
// CHECK: %[[VIEW:.*]] = memref.subview %[[START]][0, 0]
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.copy %[[VIEW]], %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[COPY]]
func.func @each_iteration(%x: f32, %sums: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  scf.for %k = %i to %n step %one {
    %slice = tensor.extract_slice %start[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<1x8xf32>
    %old = tensor.extract %slice[%i, %i] : tensor<1x8xf32>
    %sum = arith.addf %old, %x : f32
    %new = tensor.insert %sum into %slice[%i, %i] : tensor<1x8xf32>
    %y = tensor.extract %new[%i, %i] : tensor<1x8xf32>
    memref.store %y, %sums[%k] : memref<4xf32>
  }
  return
}
