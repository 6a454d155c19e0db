// RUN: mlc-opt %s --gpu-map-parallel-loops | FileCheck %s
// A loop with a reduction has no place on a grid, nor has what is in it.
// CHECK-NOT: mapping
func.func @sum(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%a) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    scf.parallel (%b) = (%c0) to (%n) step (%c1) {
    }
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %m: f32):
      %s = arith.addf %l, %m : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
