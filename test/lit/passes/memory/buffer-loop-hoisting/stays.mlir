// RUN: mlc-opt %s --buffer-loop-hoisting | FileCheck %s
// What outlives its iteration, or is freed in it, is allocated in it.
// CHECK-LABEL: func.func @yielded(
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
func.func @yielded(%n: index, %s: index, %first: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %s to %n step %s iter_args(%last = %first) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %last, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  return %r : memref<2xf32>
}

// CHECK-LABEL: func.func @freed_called_stored(
// CHECK: scf.for
// CHECK-COUNT-4: memref.alloc
func.func @freed_called_stored(%n: index, %s: index, %x: f32, %list: memref<?xmemref<2xf32>>) {
  scf.for %i = %s to %n step %s {
    %freed = memref.alloc() : memref<2xf32>
    %passed = memref.alloc() : memref<2xf32>
    %stored = memref.alloc() : memref<2xf32>
    %chosen = memref.alloc() : memref<2xf32>
    memref.store %x, %freed[%i] : memref<2xf32>
    memref.dealloc %freed : memref<2xf32>
    func.call @keep(%passed) : (memref<2xf32>) -> ()
    memref.store %stored, %list[%i] : memref<?xmemref<2xf32>>
    %c = arith.cmpi eq, %i, %s : index
    %one = arith.select %c, %chosen, %stored : memref<2xf32>
    func.call @keep(%one) : (memref<2xf32>) -> ()
  }
  return
}
func.func private @keep(memref<2xf32>)

// Iterations at once, and a branch that may not be taken.
// CHECK-LABEL: func.func @at_once(
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.alloc
func.func @at_once(%n: index, %s: index, %x: f32, %c: i1) {
  scf.parallel (%i) = (%s) to (%n) step (%s) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %x, %a[%s] : memref<2xf32>
  }
  scf.for %i = %s to %n step %s {
    scf.if %c {
      %a = memref.alloc() : memref<2xf32>
      memref.store %x, %a[%s] : memref<2xf32>
    }
  }
  return
}
