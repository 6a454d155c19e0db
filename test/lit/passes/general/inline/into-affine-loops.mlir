// RUN: mlc-opt %s --inline="default-pipeline=" | FileCheck %s
// In a loop, what was at the top level of the function no longer is: only ops of which it is known
// that their dimensions and symbols stay valid go there.
func.func @by_argument(%i: index, %m: memref<?xf32>) -> f32 {
  %x = affine.load %m[%i] : memref<?xf32>
  return %x : f32
}
func.func @by_size(%i: index, %m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %x = affine.load %m[symbol(%n) - 1] : memref<?xf32>
  return %x : f32
}
func.func @by_value(%i: index, %m: memref<?xf32>) -> f32 {
  %twice = arith.addi %i, %i : index
  %x = affine.load %m[%twice] : memref<?xf32>
  return %x : f32
}
func.func @writes(%i: index, %m: memref<?xf32>) -> f32 {
  %x = memref.load %m[%i] : memref<?xf32>
  return %x : f32
}
// CHECK-LABEL: func.func @affine_loop
// CHECK: affine.for %[[I:.*]] = 0
// CHECK-NEXT: affine.load %{{.*}}[%[[I]]]
// CHECK: affine.load %{{.*}}[symbol(%{{.*}}) - 1]
// CHECK: call @by_value
// CHECK: call @writes
func.func @affine_loop(%m: memref<?xf32>) {
  affine.for %i = 0 to 10 {
    %0 = func.call @by_argument(%i, %m) : (index, memref<?xf32>) -> f32
    %1 = func.call @by_size(%i, %m) : (index, memref<?xf32>) -> f32
    %2 = func.call @by_value(%i, %m) : (index, memref<?xf32>) -> f32
    %3 = func.call @writes(%i, %m) : (index, memref<?xf32>) -> f32
  }
  return
}
// Affine ops stay in affine scopes and loops; other ops may go to other loops.
// CHECK-LABEL: func.func @other_loop
// CHECK: scf.for
// CHECK-NEXT: call @by_argument
// CHECK-NEXT: memref.load
func.func @other_loop(%n: index, %m: memref<?xf32>) {
  scf.for %i = %n to %n step %n {
    %0 = func.call @by_argument(%i, %m) : (index, memref<?xf32>) -> f32
    %1 = func.call @writes(%i, %m) : (index, memref<?xf32>) -> f32
  }
  return
}
