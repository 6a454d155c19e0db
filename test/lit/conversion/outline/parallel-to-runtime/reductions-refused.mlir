// RUN: mlc-opt %s --parallel-to-runtime --verify-diagnostics
func.func @sum(%m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{reductions of parallel loops are not shared out between threads}}
  %0 = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %1 = memref.load %m[%i] : memref<8xf32>
    scf.reduce(%1 : f32) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %a, %b : f32
      scf.reduce.return %2 : f32
    }
  }
  return %0 : f32
}
