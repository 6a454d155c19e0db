// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt | FileCheck %s
// CHECK-LABEL: func.func @transfer
func.func @transfer(%m: memref<40x128xf32>, %n: memref<2x64xf32, 1>, %tag: memref<1xi32, 2>, %i: index, %s: index) {
  %c0 = arith.constant 0 : index
  affine.for %j = 0 to 3 {
    // CHECK: affine.dma_start %arg0[%arg3 + 3, %[[J:.*]]], %arg1[%[[J]], symbol(%arg3)], %arg2[%{{.*}}], %arg4 : memref<40x128xf32>, memref<2x64xf32, 1>, memref<1xi32, 2>
    affine.dma_start %m[%i + 3, %j], %n[%j, symbol(%i)], %tag[%c0], %s : memref<40x128xf32>, memref<2x64xf32, 1>, memref<1xi32, 2>
    // CHECK: affine.dma_start {{.*}}, %arg4, %arg3, %arg4 :
    affine.dma_start %m[%i, %j], %n[%j, %i], %tag[%c0], %s, %i, %s : memref<40x128xf32>, memref<2x64xf32, 1>, memref<1xi32, 2>
    // CHECK: affine.dma_wait %arg2[%{{.*}} + 7], %arg4 : memref<1xi32, 2>
    affine.dma_wait %tag[%c0 + 7], %s : memref<1xi32, 2>
  }
  return
}
