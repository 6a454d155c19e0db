// RUN: mlc-opt %s --allow-unregistered-dialect --one-shot-bufferize=allow-unknown-ops --split-input-file | FileCheck %s
// RUN: not mlc-opt %s --allow-unregistered-dialect --one-shot-bufferize --split-input-file 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: 'my.op' op works on tensors and does not say how it is done on buffers

// Ops of which nobody knows stay on tensors. What they give is not written: it may be anybody's.
// CHECK-LABEL: func.func @between(
// CHECK: memref.store %arg1, %[[A:.*]][%arg2]
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[A]]
// CHECK: %[[R:.*]] = "my.op"(%[[T]], %arg2)
// CHECK: %[[M:.*]] = bufferization.to_memref %[[R]] : memref<?xf32, strided<[?], offset: ?>>
// CHECK: memref.copy %[[M]], %[[B:.*]] :
// CHECK: memref.store %arg1, %[[B]][%arg2]
// CHECK: %[[X:.*]] = memref.load %[[M]][%arg2]
// CHECK: "my.sink"(%[[R]], %[[X]])
func.func @between(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = "my.op"(%0, %i) : (tensor<4xf32>, index) -> tensor<?xf32>
  %2 = tensor.insert %x into %1[%i] : tensor<?xf32>
  %3 = tensor.extract %1[%i] : tensor<?xf32>
  "my.sink"(%1, %3) : (tensor<?xf32>, f32) -> ()
  return %2 : tensor<?xf32>
}

// -----

// Regions of such ops, and calls where functions take tensors.
// CHECK-LABEL: func.func @inside(
// CHECK: "my.region"(%arg0)
// CHECK: ^bb0(%[[A:.*]]: tensor<4xf32>):
// CHECK: %[[M:.*]] = bufferization.to_memref %[[A]]
// CHECK: memref.load %[[M]]
// CHECK: "my.yield"(%[[A]])
// CHECK: call @inside(%{{.*}}, %arg1) : (tensor<4xf32>, index) -> ()
func.func @inside(%t: tensor<4xf32>, %i: index) {
  %0 = "my.region"(%t) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = tensor.extract %a[%i] : tensor<4xf32>
    "my.use"(%1) : (f32) -> ()
    "my.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  call @inside(%0, %i) : (tensor<4xf32>, index) -> ()
  return
}
