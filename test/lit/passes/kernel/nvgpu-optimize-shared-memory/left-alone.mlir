// RUN: mlc-opt %s --nvgpu-optimize-shared-memory | FileCheck %s
// CHECK-NOT: arith.xori
func.func @f(%i: index, %j: index, %x: f32, %v: vector<8xf32>) -> (f32, f32, f32, f32, f32, vector<8xf32>, f32) {
  // Global memory.
  %a = memref.alloc() : memref<64x64xf32>
  memref.store %x, %a[%i, %j] : memref<64x64xf32>
  %0 = memref.load %a[%i, %j] : memref<64x64xf32>
  // Rows of one vector, eight in a line.
  %b = memref.alloc() : memref<64x4xf32, 3>
  memref.store %x, %b[%i, %j] : memref<64x4xf32, 3>
  %1 = memref.load %b[%i, %j] : memref<64x4xf32, 3>
  // A size that is no power of two.
  %c = memref.alloc() : memref<64x48xf32, 3>
  memref.store %x, %c[%i, %j] : memref<64x48xf32, 3>
  %2 = memref.load %c[%i, %j] : memref<64x48xf32, 3>
  // A view of it is used.
  %d = memref.alloc() : memref<64x64xf32, 3>
  %w = memref.subview %d[0, 0] [8, 8] [1, 1] : memref<64x64xf32, 3> to memref<8x8xf32, strided<[64, 1]>, 3>
  memref.store %x, %d[%i, %j] : memref<64x64xf32, 3>
  %3 = memref.load %d[%i, %j] : memref<64x64xf32, 3>
  // Nobody writes.
  %e = memref.alloc() : memref<64x64xf32, 3>
  %4 = memref.load %e[%i, %j] : memref<64x64xf32, 3>
  // More than 16 bytes at once.
  %f = memref.alloc() : memref<64x64xf32, 3>
  vector.store %v, %f[%i, %j] : memref<64x64xf32, 3>, vector<8xf32>
  %5 = vector.load %f[%i, %j] : memref<64x64xf32, 3>, vector<8xf32>
  // One dimension.
  %g = memref.alloc() : memref<64xf32, 3>
  memref.store %x, %g[%i] : memref<64xf32, 3>
  %6 = memref.load %g[%i] : memref<64xf32, 3>
  // Rows of nothing, elements of nothing.
  %h = memref.alloc() : memref<64x0xf32, 3>
  memref.store %x, %h[%i, %j] : memref<64x0xf32, 3>
  %7 = memref.load %h[%i, %j] : memref<64x0xf32, 3>
  %k = memref.alloc() : memref<64x64xi0, 3>
  %8 = memref.load %k[%i, %j] : memref<64x64xi0, 3>
  memref.store %8, %k[%i, %j] : memref<64x64xi0, 3>
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, vector<8xf32>, f32
}
