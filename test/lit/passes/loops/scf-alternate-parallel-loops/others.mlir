// RUN: mlc-opt %s --scf-alternate-parallel-loops --target=x86-64-v4 | FileCheck %s
// What the second cache holds, what each step reads somewhere else, what a step writes, and a loop within no other one, or one
// that runs once at most, stay.
// CHECK-NOT: arith.select
func.func @others(%small: memref<64x256xf32>, %w: memref<4096x256xf32>, %steps: memref<8x4096x256xf32>, %h: memref<4096x256xf32>, %few: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c8 step %c1 {
    scf.parallel (%n) = (%c0) to (%c64) step (%c32) {
      %v = vector.load %small[%n, %c0] : memref<64x256xf32>, vector<16xf32>
      %u = vector.load %steps[%t, %n, %c0] : memref<8x4096x256xf32>, vector<16xf32>
      %x = vector.load %h[%n, %c0] : memref<4096x256xf32>, vector<16xf32>
      %y = arith.addf %v, %u : vector<16xf32>
      %z = arith.addf %x, %y : vector<16xf32>
      vector.store %z, %h[%n, %c0] : memref<4096x256xf32>, vector<16xf32>
      scf.reduce
    }
  }
  scf.parallel (%n) = (%c0) to (%c64) step (%c32) {
    %v = vector.load %w[%n, %c0] : memref<4096x256xf32>, vector<16xf32>
    vector.store %v, %h[%n, %c0] : memref<4096x256xf32>, vector<16xf32>
    scf.reduce
  }
  scf.for %t = %c0 to %few step %c1 {
    scf.parallel (%i) = (%c0) to (%c64) step (%c32) {
      %v = vector.load %w[%i, %c0] : memref<4096x256xf32>, vector<16xf32>
      vector.store %v, %small[%i, %c0] : memref<64x256xf32>, vector<16xf32>
      scf.reduce
    }
  } {mlc.at_most = 1 : i64}
  return
}
