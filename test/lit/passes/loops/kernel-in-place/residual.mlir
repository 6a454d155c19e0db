// RUN: mlc-opt %s --kernel-in-place | FileCheck %s
// RUN: mlc-opt %s --kernel-in-place --affine-parallelize | FileCheck %s --check-prefix=THREADS
// RUN: mlc-opt %s --interpret | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --kernel-in-place --interpret | FileCheck %s --check-prefix=VALUES
// What is added to a product becomes the sum: tiles of two rows, and one row that is left over, read a part of the residual before they write
// that part. The two arguments and their views are one.
// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]] = memref.alloc() : memref<5x1x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @make(%[[R]])
// CHECK: call @add(%{{.*}}, %[[R]]) : (memref<5xf32>, memref<5x1x8xf32>) -> ()
// CHECK: memref.load %[[R]]
// CHECK-LABEL: func.func private @add
// CHECK-SAME: %[[R:[a-z0-9]+]]: memref<5x1x8xf32>)
// CHECK-SAME: mlc.notes = ["result in argument 2 written over argument 1"]
// CHECK: %[[V:.*]] = memref.collapse_shape %[[R]]
// CHECK-NOT: memref.collapse_shape
// CHECK: affine.vector_store %{{.*}}, %[[V]]
// Nothing that could be parallel is no longer.
// THREADS: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (4, 2) step (2, 1)
// VALUES: 1.500000e+01
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = memref.alloc() : memref<5xf32>
  affine.for %i = 0 to 5 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    affine.store %f, %x[%i] : memref<5xf32>
  }
  %r = memref.alloc() : memref<5x1x8xf32>
  %out = memref.alloc() : memref<5x1x8xf32>
  call @make(%r) : (memref<5x1x8xf32>) -> ()
  call @add(%x, %r, %out) : (memref<5xf32>, memref<5x1x8xf32>, memref<5x1x8xf32>) -> ()
  %a = memref.load %out[%c4, %c0, %c4] : memref<5x1x8xf32>
  return %a : f32
}
func.func private @make(%r: memref<5x1x8xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 8 {
      %n = arith.index_cast %j : index to i32
      %f = arith.sitofp %n : i32 to f32
      affine.store %f, %r[%i, 0, %j] : memref<5x1x8xf32>
    }
  }
  return
}
func.func private @add(%x: memref<5xf32>, %r: memref<5x1x8xf32>, %out: memref<5x1x8xf32>) {
  %seven = arith.constant dense<7.0> : vector<4xf32>
  %to = memref.collapse_shape %out [[0, 1], [2]] : memref<5x1x8xf32> into memref<5x8xf32>
  %from = memref.collapse_shape %r [[0, 1], [2]] : memref<5x1x8xf32> into memref<5x8xf32>
  affine.for %i = 0 to 4 step 2 {
    affine.for %k = 0 to 2 {
      %s = affine.load %x[%i + %k] : memref<5xf32>
      %v = vector.broadcast %s : f32 to vector<4xf32>
      %p = arith.addf %v, %seven : vector<4xf32>
      %a = affine.vector_load %from[%i + %k, 0] : memref<5x8xf32>, vector<4xf32>
      %b = arith.addf %a, %p : vector<4xf32>
      affine.vector_store %b, %to[%i + %k, 0] : memref<5x8xf32>, vector<4xf32>
      %c = affine.vector_load %from[%i + %k, 4] : memref<5x8xf32>, vector<4xf32>
      %d = arith.addf %c, %p : vector<4xf32>
      affine.vector_store %d, %to[%i + %k, 4] : memref<5x8xf32>, vector<4xf32>
    }
  }
  affine.for %j = 0 to 8 {
    %seven_0 = arith.constant 7.0 : f32
    %s = affine.load %x[4] : memref<5xf32>
    %p = arith.addf %s, %seven_0 : f32
    %a = affine.load %from[4, %j] : memref<5x8xf32>
    %b = arith.addf %a, %p : f32
    affine.store %b, %to[4, %j] : memref<5x8xf32>
  }
  return
}
