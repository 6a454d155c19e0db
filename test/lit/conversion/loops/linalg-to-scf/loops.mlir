// RUN: mlc-opt %s --convert-linalg-to-loops -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --convert-linalg-to-parallel-loops -mlir-print-local-scope | FileCheck %s --check-prefix=PARALLEL
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --convert-linalg-to-loops --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --convert-linalg-to-parallel-loops --interpret --entry run | FileCheck %s --check-prefix=EVAL
// CHECK-LABEL: func.func @product
// CHECK: %[[K:.*]] = memref.dim %arg0, %c1
// CHECK: scf.for %[[I:.*]] = %c0 to %c2 step %c1 {
// CHECK: scf.for %[[J:.*]] = %c0 to %c3 step %c1 {
// CHECK: scf.for %[[L:.*]] = %c0 to %[[K]] step %c1 {
// CHECK: memref.load %arg0[%[[I]], %[[L]]]
// CHECK: memref.load %arg1[%[[L]], %[[J]]]
// CHECK: memref.load %arg2[%[[I]], %[[J]]]
// CHECK: memref.store %{{.*}}, %arg2[%[[I]], %[[J]]]
// PARALLEL-LABEL: func.func @product
// PARALLEL: scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) {
// PARALLEL-NEXT: scf.for
func.func @product(%a: memref<2x?xf32>, %b: memref<?x3xf32>, %c: memref<2x3xf32>) {
  linalg.matmul ins(%a, %b : memref<2x?xf32>, memref<?x3xf32>) outs(%c : memref<2x3xf32>)
  return
}
// Indices that are sums are computed, and positions are loop variables.
// CHECK-LABEL: func.func @others
// CHECK: affine.apply affine_map<(d0, d1) -> (d0 + d1)>
// CHECK: arith.index_cast %{{.*}} : index to i64
func.func @others(%a: memref<5xf32>, %w: memref<3xf32>, %c: memref<3xf32>, %p: memref<3xi64>) {
  linalg.conv_1d ins(%a, %w : memref<5xf32>, memref<3xf32>) outs(%c : memref<3xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%p : memref<3xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i64
    linalg.yield %0 : i64
  }
  return
}
// CHECK-LABEL: func.func @map
// CHECK: scf.for
// CHECK: math.absf
func.func @map(%a: memref<5xf32>, %c: memref<5xf32>) {
  linalg.map { math.absf } ins(%a : memref<5xf32>) outs(%c : memref<5xf32>)
  return
}
// Tensors are bufferised first.
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.fill
func.func @tensors(%v: f32, %t: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// EVAL: dense<1.500000e+01> : tensor<2x3xf32>
// EVAL-NEXT: dense<-1.800000e+01> : tensor<3xf32>
// EVAL-NEXT: dense<[0, 1, 2]>
func.func @run() -> (memref<2x3xf32>, memref<3xf32>, memref<3xi64>) {
  %c2 = arith.constant 2.0 : f32
  %m3 = arith.constant -3.0 : f32
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<2x4xf32>
  %b = memref.alloc() : memref<4x3xf32>
  %c = memref.alloc() : memref<2x3xf32>
  %x = memref.alloc() : memref<5xf32>
  %w = memref.alloc() : memref<3xf32>
  %y = memref.alloc() : memref<3xf32>
  %p = memref.alloc() : memref<3xi64>
  %39 = arith.constant 39.0 : f32
  linalg.fill ins(%c2 : f32) outs(%a : memref<2x4xf32>)
  linalg.fill ins(%m3 : f32) outs(%b : memref<4x3xf32>)
  linalg.fill ins(%39 : f32) outs(%c : memref<2x3xf32>)
  linalg.fill ins(%c2 : f32) outs(%x : memref<5xf32>)
  linalg.fill ins(%m3 : f32) outs(%w : memref<3xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<3xf32>)
  %da = memref.cast %a : memref<2x4xf32> to memref<2x?xf32>
  %db = memref.cast %b : memref<4x3xf32> to memref<?x3xf32>
  func.call @product(%da, %db, %c) : (memref<2x?xf32>, memref<?x3xf32>, memref<2x3xf32>) -> ()
  func.call @others(%x, %w, %y, %p) : (memref<5xf32>, memref<3xf32>, memref<3xf32>, memref<3xi64>) -> ()
  return %c, %y, %p : memref<2x3xf32>, memref<3xf32>, memref<3xi64>
}
