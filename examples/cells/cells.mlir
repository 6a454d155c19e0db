func.func @sum(%m: memref<16x8xf32>) -> f32 {
  %row = memref.subview %m[2, 0] [1, 8] [1, 1] : memref<16x8xf32> to memref<8xf32, strided<[1], offset: 16>>
  %none = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  %end = arith.constant 8 : index
  %step = arith.constant 1 : index
  %sum = scf.for %i = %first to %end step %step iter_args(%before = %none) -> (f32) {
    %x = cells.peek %row at %i : memref<8xf32, strided<[1], offset: 16>> -> f32
    %after = arith.addf %before, %x : f32
    scf.yield %after : f32
  }
  return %sum : f32
}
