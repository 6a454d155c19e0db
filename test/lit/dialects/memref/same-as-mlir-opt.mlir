// RUN: mlc-opt %s -o %t.mlc && mlir-opt %s -o %t.mlir && diff %t.mlir %t.mlc
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt -o %t.again && diff %t.mlc %t.again
// REQUIRES: mlir-opt
// Custom syntax as mlir-opt prints it, and the same again by way of the generic form.
func.func @f(%m: memref<4x?xf32>, %i: index, %x: f32, %n: index, %tag: memref<1xi32>, %d: memref<4x?xf32, 2>) {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
  memref.prefetch %m[%i, %i], write, locality<1>, instr : memref<4x?xf32>
  %r = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xf32> {
  ^bb0(%c: f32):
    %s = arith.addf %c, %x : f32
    memref.atomic_yield %s : f32
  }
  %a = memref.alloca_scope -> (f32) {
    %al = memref.alloca(%n) : memref<?xf32>
    memref.alloca_scope.return %x : f32
  }
  memref.alloca_scope {
    %al = memref.alloca(%n) : memref<?xf32>
    memref.alloca_scope.return
  }
  memref.dma_start %m[%i, %i], %d[%i, %i], %n, %tag[%i] : memref<4x?xf32>, memref<4x?xf32, 2>, memref<1xi32>
  memref.dma_start %m[%i, %i], %d[%i, %i], %n, %tag[%i], %n, %n : memref<4x?xf32>, memref<4x?xf32, 2>, memref<1xi32>
  memref.dma_wait %tag[%i], %n : memref<1xi32>
  return
}
