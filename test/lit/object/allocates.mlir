// REQUIRES: target
// RUN: mlc run %s | FileCheck %s
// RUN: mlc compile %s -o %t.mlca && mlc run %t.mlca | FileCheck %s
// Compiled code allocates what has no place in the arena, and frees it: buffers of sizes that are
// found out, and one that an iteration hands to the next. (With AddressSanitizer, a leak or a
// buffer that is freed twice fails this.) Sums of 0 to i.
// CHECK: output_0: f32 [8] 0 1 3 6 10 15 21 28
func.func @main(%out: memref<8xf32> {mlc.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<4xf32>
  memref.store %zero, %first[%c0] : memref<4xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<4xf32>) {
    %n = arith.addi %i, %c1 : index
    %t = memref.alloc(%n) : memref<?xf32>
    %j = arith.index_cast %i : index to i64
    %x = arith.sitofp %j : i64 to f32
    memref.store %x, %t[%i] : memref<?xf32>
    %new = memref.alloc() : memref<4xf32>
    %a = memref.load %old[%c0] : memref<4xf32>
    %b = memref.load %t[%i] : memref<?xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %new[%c0] : memref<4xf32>
    memref.store %s, %out[%i] : memref<8xf32>
    scf.yield %new : memref<4xf32>
  }
  return
}
