// RUN: mlc-opt %s --convert-arith-to-llvm | FileCheck %s
// One dialect at a time: functions, branches and buffers stay, with casts between.
// CHECK: func.func @f
// CHECK: memref.load
// CHECK: llvm.fadd
// CHECK: return
// CHECK-NOT: arith.
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<4xf32>
  %1 = arith.addf %0, %0 : f32
  return %1 : f32
}
