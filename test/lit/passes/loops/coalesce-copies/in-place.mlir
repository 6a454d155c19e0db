// RUN: mlc-opt %s --coalesce-copies | FileCheck %s
// RUN: mlc-opt %s --coalesce-copies --coalesce-copies | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --coalesce-copies --interpret --entry main | FileCheck %s --check-prefix=VALUES
// Each element is read before the one of its index is written: the buffer that goes round is written.
// VALUES: dense<[3.000000e+00, 5.000000e+00, 7.000000e+00, 9.000000e+00]> : vector<4xf32>

// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[X:.*]]: memref<4xf32>
// CHECK: affine.for
// CHECK-NEXT: affine.for
// CHECK-NEXT: %[[OLD:.*]] = affine.load %[[X]]
// CHECK: affine.store %{{.*}}, %[[X]]
// CHECK-NOT: memref.copy
func.func @elements(%a: memref<4xf32>, %x: memref<4xf32> {mlc.result}) {
  affine.for %n = 0 to 2 {
    %t = memref.alloc() : memref<4xf32>
    affine.for %i = 0 to 4 {
      %old = affine.load %x[%i] : memref<4xf32>
      %add = affine.load %a[%i] : memref<4xf32>
      %new = arith.addf %old, %add : f32
      affine.store %new, %t[%i] : memref<4xf32>
    }
    memref.copy %t, %x : memref<4xf32> to memref<4xf32>
  }
  return
}

// Parts of it by two ops, and in a buffer that is allocated here.
// CHECK-LABEL: func.func @halves(
// CHECK: %[[X:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @halves() -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %one, %x[%i] : memref<8xf32>
  }
  affine.for %n = 0 to 3 {
    %t = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 4 {
      %old = affine.load %x[%i] : memref<8xf32>
      %new = arith.addf %old, %old : f32
      affine.store %new, %t[%i] : memref<8xf32>
    }
    affine.for %i = 4 to 8 {
      %old = affine.load %x[%i] : memref<8xf32>
      affine.store %old, %t[%i] : memref<8xf32>
    }
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  }
  %r = memref.load %x[%c0] : memref<8xf32>
  return %r : f32
}

func.func @main() -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : vector<4xf32>
  %numbers = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %x = memref.alloc() : memref<4xf32>
  vector.transfer_write %numbers, %a[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  vector.transfer_write %one, %x[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  call @elements(%a, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  %r = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  return %r : vector<4xf32>
}
