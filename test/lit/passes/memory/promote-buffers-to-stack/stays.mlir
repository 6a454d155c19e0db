// RUN: mlc-opt %s --promote-buffers-to-stack | FileCheck %s
// What outlives the function or the iteration, what is freed, and what is kept in memory.
// CHECK-NOT: memref.alloca
func.func @returned(%c: i1, %a: memref<2xf32>) -> memref<2xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  cf.br ^end(%a : memref<2xf32>)
^two:
  %0 = memref.alloc() : memref<2xf32>
  cf.br ^end(%0 : memref<2xf32>)
^end(%r: memref<2xf32>):
  return %r : memref<2xf32>
}

func.func @yielded(%n: index, %b: memref<2xf32>) {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %b) -> memref<2xf32> {
    %0 = memref.alloc() : memref<2xf32>
    scf.yield %0 : memref<2xf32>
  }
  memref.copy %r, %b : memref<2xf32> to memref<2xf32>
  return
}

func.func @given_back(%c: i1) -> memref<2xf32> {
  %0 = memref.alloc() : memref<2xf32>
  %r = call @same(%0) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
func.func private @same(memref<2xf32>) -> memref<2xf32>

func.func @freed_and_stored(%list: memref<?xmemref<2xf32>>, %n: index) {
  %0 = memref.alloc() : memref<2xf32>
  memref.dealloc %0 : memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  memref.store %1, %list[%n] : memref<?xmemref<2xf32>>
  return
}
