// RUN: mlc-opt %s --one-shot-bufferize='bufferize-function-boundaries' | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize='bufferize-function-boundaries check-parallel-regions=false' | FileCheck %s --check-prefix=ONE-BY-ONE
// RUN: mlc-opt %s --one-shot-bufferize='bufferize-function-boundaries allow-return-allocs-from-loops no-analysis-func-filter=at_once' | FileCheck %s --check-prefix=COPIES
// Each iteration needs a buffer of its own for what it makes.
// CHECK-LABEL: func.func @at_once(
// CHECK: scf.forall
// CHECK: memref.alloc
// CHECK: linalg.fill
// ONE-BY-ONE-LABEL: func.func @at_once(
// ONE-BY-ONE: memref.alloc
// ONE-BY-ONE: scf.forall
// ONE-BY-ONE-NOT: memref.alloc
// ONE-BY-ONE: linalg.fill
// COPIES-LABEL: func.func @at_once(
// COPIES: memref.copy %arg0
// COPIES-LABEL: func.func @other(
// COPIES-NOT: memref.copy
func.func @at_once(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> tensor<8xf32> {
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

func.func @other(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}
