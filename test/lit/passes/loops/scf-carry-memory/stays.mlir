// RUN: mlc-opt %s --scf-carry-memory | FileCheck %s
// CHECK-NOT: iter_args
// The element moves with the loop; another op may read the buffer, through a view too; the load comes behind the store; nothing
// is read; who knows what a pointer is of; a loop may not run.
func.func @moves(%s: memref<8xf32>) {
  %lo = arith.constant 0 : index
  %st = arith.constant 1 : index
  %hi = arith.constant 4 : index
  scf.for %k = %lo to %hi step %st {
    %y = memref.load %s[%k] : memref<8xf32>
    %z = arith.addf %y, %y : f32
    memref.store %z, %s[%k] : memref<8xf32>
  }
  return
}
func.func @is_read(%s: memref<8xf32>, %i: index) {
  %lo = arith.constant 0 : index
  %st = arith.constant 1 : index
  %hi = arith.constant 4 : index
  %v = memref.subview %s[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  scf.for %k = %lo to %hi step %st {
    %x = memref.load %v[%k] : memref<4xf32, strided<[1]>>
    %y = memref.load %s[%i] : memref<8xf32>
    %z = arith.addf %y, %x : f32
    memref.store %z, %s[%i] : memref<8xf32>
  }
  return
}
func.func @behind(%s: memref<8xf32>, %t: memref<8xf32>, %x: f32, %i: index) {
  %lo = arith.constant 0 : index
  %st = arith.constant 1 : index
  %hi = arith.constant 4 : index
  scf.for %k = %lo to %hi step %st {
    memref.store %x, %s[%i] : memref<8xf32>
    %y = memref.load %s[%i] : memref<8xf32>
    memref.store %y, %t[%k] : memref<8xf32>
  }
  return
}
func.func @not_read(%s: memref<8xf32>, %t: memref<8xf32>, %i: index) {
  %lo = arith.constant 0 : index
  %st = arith.constant 1 : index
  %hi = arith.constant 4 : index
  scf.for %k = %lo to %hi step %st {
    %y = memref.load %t[%k] : memref<8xf32>
    memref.store %y, %s[%i] : memref<8xf32>
  }
  return
}
func.func @somewhere(%p: !llvm.ptr, %s: memref<8xf32>, %i: index) {
  %lo = arith.constant 0 : index
  %st = arith.constant 1 : index
  %hi = arith.constant 4 : index
  %q = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<8xf32>
  scf.for %k = %lo to %hi step %st {
    %x = memref.load %q[%k] : memref<8xf32>
    %y = memref.load %s[%i] : memref<8xf32>
    %z = arith.addf %y, %x : f32
    memref.store %z, %s[%i] : memref<8xf32>
  }
  return
}
func.func @may_not_run(%s: memref<8xf32>, %x: f32, %i: index, %hi: index) {
  %lo = arith.constant 0 : index
  %st = arith.constant 1 : index
  scf.for %k = %lo to %hi step %st {
    %y = memref.load %s[%i] : memref<8xf32>
    %z = arith.addf %y, %x : f32
    memref.store %z, %s[%i] : memref<8xf32>
  }
  return
}
