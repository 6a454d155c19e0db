// RUN: mlc-opt %s --eliminate-empty-tensors --split-input-file | FileCheck %s
// What is built in an empty tensor is built in the part of the destination that it is put into.

// CHECK-LABEL: func.func @slice(
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[%arg1] [4] [1] : tensor<8xf32> to tensor<4xf32>
// CHECK: linalg.fill ins(%arg2 : f32) outs(%[[PART]] :
func.func @slice(%to: tensor<8xf32>, %at: index, %x: f32) -> tensor<8xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %made into %to[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A row: the slice has fewer dimensions than the destination.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[ROW:.*]] = tensor.extract_slice %arg0[%arg1, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ROW]])
func.func @loop(%to: tensor<8x4xf32>, %at: index, %n: index, %x: f32) -> tensor<8x4xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %made = scf.for %i = %at to %n step %n iter_args(%t = %room) -> tensor<4xf32> {
    %next = tensor.insert %x into %t[%i] : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  %r = tensor.insert_slice %made into %to[%at, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @branches(
// CHECK: scf.if
// CHECK: %[[A:.*]] = tensor.extract_slice %arg0
// CHECK: outs(%[[A]] :
// CHECK: %[[B:.*]] = tensor.extract_slice %arg0
// CHECK: scf.yield %[[B]]
func.func @branches(%to: tensor<8xf32>, %c: i1, %x: f32) -> tensor<8xf32> {
  %made = scf.if %c -> tensor<4xf32> {
    %a = tensor.empty() : tensor<4xf32>
    %filled = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %filled : tensor<4xf32>
  } else {
    %b = tensor.empty() : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r = tensor.insert_slice %made into %to[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @parallel(
// CHECK: scf.forall {{.*}} shared_outs(%[[TO:.*]] = %arg0)
// CHECK: tensor.extract_slice %[[TO]][%{{.*}}] [4] [1]
// CHECK-NOT: tensor.empty
func.func @parallel(%to: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %to) -> tensor<?xf32> {
    %room = tensor.empty() : tensor<4xf32>
    %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %made into %o[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// The buffer is reached through the tensor, too, now.
// CHECK-LABEL: func.func @materialized(
// CHECK: %[[T:.*]] = bufferization.to_tensor %arg1 restrict writable
// CHECK: linalg.fill {{.*}} outs(%[[T]] :
// CHECK: materialize_in_destination %{{.*}} in writable %arg1
func.func @materialized(%x: f32, %to: memref<4xf32>) {
  %room = tensor.empty() : tensor<4xf32>
  %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %made in restrict writable %to : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @whole(
// CHECK: linalg.fill {{.*}} outs(%arg0 :
func.func @whole(%to: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %made = linalg.fill ins(%x : f32) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.copy ins(%made : tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
