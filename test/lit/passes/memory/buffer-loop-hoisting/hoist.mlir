// RUN: mlc-opt %s --buffer-loop-hoisting | FileCheck %s
// RUN: mlc-opt %s --buffer-loop-hoisting --buffer-loop-hoisting | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt %s --buffer-loop-hoisting --interpret --entry run | FileCheck %s --check-prefix=RESULT
// RESULT: 2.400000e+01 : f32
// A buffer leaves all loops that do not make its size; views, accesses and structured ops keep it in
// its iteration.
// CHECK-LABEL: func.func @nest(
// CHECK: memref.alloc() : memref<2xf32>
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NEXT: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @nest(%from: index, %to: index, %step: index, %sum: memref<f32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  scf.for %i = %from to %to step %step {
    scf.for %j = %from to %to step %step {
      %fixed = memref.alloc() : memref<2xf32>
      %sized = memref.alloc(%i) : memref<?xf32>
      linalg.fill ins(%two : f32) outs(%fixed : memref<2xf32>)
      %half = memref.subview %fixed[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
      linalg.fill ins(%two : f32) outs(%sized : memref<?xf32>)
      %n = memref.dim %sized, %c0 : memref<?xf32>
      %last = arith.subi %n, %step : index
      %x = memref.load %half[%c0] : memref<1xf32, strided<[1], offset: 1>>
      %v = vector.load %sized[%last] : memref<?xf32>, vector<1xf32>
      %y = vector.extract %v[0] : f32 from vector<1xf32>
      %z = memref.load %sum[] : memref<f32>
      %xy = arith.mulf %x, %y : f32
      %xyz = arith.addf %z, %xy : f32
      memref.store %xyz, %sum[] : memref<f32>
    }
  }
  return
}

func.func @run() -> f32 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %eight = arith.constant 8.0 : f32
  %sum = memref.alloc() : memref<f32>
  memref.store %eight, %sum[] : memref<f32>
  call @nest(%c1, %c3, %c1, %sum) : (index, index, index, memref<f32>) -> ()
  %r = memref.load %sum[] : memref<f32>
  memref.dealloc %sum : memref<f32>
  return %r : f32
}
