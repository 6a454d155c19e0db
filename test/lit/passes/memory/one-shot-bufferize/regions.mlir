// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file | FileCheck %s

// The iteration's part is written where it goes.
// CHECK-LABEL: func.func @forall(
// CHECK: scf.forall (%[[I:.*]]) in (2) {
// CHECK: %[[PART:.*]] = memref.subview %arg0[%[[I]]] [4] [1]
// CHECK: linalg.fill ins(%arg1 : f32) outs(%[[PART]]
// CHECK-NOT: memref.copy
// CHECK: return %arg0
func.func @forall(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> tensor<8xf32> {
    %e = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

// The tensor is wanted later: all is written in a copy.
// CHECK-LABEL: func.func @forall_of_copy(
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: scf.forall (%[[N:.*]]) in (%arg2) {
// CHECK: memref.subview %[[A]][%[[N]]]
// CHECK: mapping = [#gpu.thread<x>]
func.func @forall_of_copy(%t: tensor<8xf32>, %part: tensor<4xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %r, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @execute(
// CHECK: scf.execute_region
// CHECK: memref.store %arg1, %arg0
// CHECK: return %arg0
func.func @execute(%t: tensor<8xf32>, %x: f32, %n : index) -> tensor<8xf32> {
  %r = scf.execute_region -> tensor<8xf32> {
    %y = tensor.insert %x into %t[%n] : tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @switch(
// CHECK: scf.index_switch %arg2
// CHECK: memref.store %arg1, %arg0
// CHECK: return %arg0
func.func @switch(%t: tensor<8xf32>, %x: f32, %n : index) -> tensor<8xf32> {
  %r = scf.index_switch %n -> tensor<8xf32>
  case 1 {
    %y = tensor.insert %x into %t[%n] : tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  default {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Of dynamic shape, branches yield buffers, of any layout where theirs differ.
// CHECK-LABEL: func.func @yielded(
// CHECK: %[[R:.*]] = scf.if %arg1 -> (memref<?xf32, strided<{{.*}}>) {
// CHECK: scf.yield %arg0
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[C:.*]] = memref.cast %[[A]]
// CHECK: scf.yield %[[C]]
// CHECK: return %[[R]]
func.func @yielded(%t: tensor<?xf32>, %c: i1, %n: index) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    scf.yield %t : tensor<?xf32>
  } else {
    %e = tensor.empty(%n) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @select(
// CHECK: %[[R:.*]] = arith.select %arg2, %arg0, %arg1
// CHECK: memref.store %arg3, %[[R]]
func.func @select(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// What is wanted later is copied before the choice.
// CHECK-LABEL: func.func @select_copies(
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: arith.select %arg2, %{{.*}}, %arg1
func.func @select_copies(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
  return %1, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @materialized(
// CHECK: memref.copy %arg0, %arg1
// CHECK: memref.copy %arg0, %arg2
// CHECK: return %arg1
func.func @materialized(%t: tensor<4xf32>, %d: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  %r = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %r : tensor<4xf32>
}
