// RUN: mlc-opt %s --scf-alternate-parallel-loops --target=x86-64-v4 | FileCheck %s
// RUN: mlc-opt %s --scf-alternate-parallel-loops --target=x86-64-v4 --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Each step reads 4 MiB of weights again: what was read last is read first in the next one.
// CHECK-LABEL: func.func private @steps
// CHECK-SAME: mlc.notes = ["forwards and backwards by turns: 4096 KiB are read again"]
// CHECK: scf.for %[[T:.*]] = %[[FIRST:.*]] to %{{.*}} step %[[STEP:.*]] {
// CHECK-NEXT: %[[PAST:.*]] = arith.subi %[[T]], %[[FIRST]]
// CHECK-NEXT: %[[TURN:.*]] = arith.divsi %[[PAST]], %[[STEP]]
// CHECK: %[[BIT:.*]] = arith.andi %[[TURN]], %{{.*}}
// CHECK: %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %{{.*}}
// CHECK: %[[ENDS:.*]] = arith.constant 3072
// CHECK: scf.parallel (%[[N:.*]]) =
// CHECK-NEXT: %[[BACK:.*]] = arith.subi %[[ENDS]], %[[N]]
// CHECK-NEXT: %[[AT:.*]] = arith.select %[[ODD]], %[[BACK]], %[[N]]
// CHECK: vector.load %{{.*}}[%[[AT]], %{{.*}}]
func.func private @steps(%w: memref<4096x256xf32>, %h: memref<4096xf32>, %first: index) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %last = arith.addi %first, %c6 : index
  scf.for %t = %first to %last step %c2 {
    scf.parallel (%n) = (%c0) to (%c4096) step (%c1024) {
      %v = vector.load %w[%n, %c0] : memref<4096x256xf32>, vector<16xf32>
      %e = vector.extract %v[0] : f32 from vector<16xf32>
      %old = memref.load %h[%n] : memref<4096xf32>
      %new = arith.addf %old, %e : f32
      memref.store %new, %h[%n] : memref<4096xf32>
      scf.reduce
    }
  }
  return
}
// EVAL: 3.000000e+00
// EVAL: 6.000000e+00
func.func @run() -> (f32, f32) {
  %w = memref.alloc() : memref<4096x256xf32>
  %h = memref.alloc() : memref<4096xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %c3072 = arith.constant 3072 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c1024 {
    memref.store %zero, %h[%i] : memref<4096xf32>
    scf.for %k = %c0 to %c16 step %c1 {
      memref.store %one, %w[%i, %k] : memref<4096x256xf32>
    }
  }
  memref.store %two, %w[%c3072, %c0] : memref<4096x256xf32>
  func.call @steps(%w, %h, %c1) : (memref<4096x256xf32>, memref<4096xf32>, index) -> ()
  %a = memref.load %h[%c0] : memref<4096xf32>
  %b = memref.load %h[%c3072] : memref<4096xf32>
  return %a, %b : f32, f32
}
