// RUN: mlc-opt %s -p 'builtin.module(buffer-results-to-out-params)' | FileCheck %s
// RUN: mlc-opt %s --interpret | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --buffer-results-to-out-params --interpret | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --buffer-results-to-out-params=hoist-static-allocs --interpret | FileCheck %s --check-prefix=EVAL
// Results that are buffers become arguments of function, returns and calls; other results stay.
// CHECK-LABEL: func.func @make(%arg0: f32, %arg1: memref<2xf32>) -> i32
// CHECK: memref.copy %{{.*}}, %arg1
// CHECK: return %{{.*}} : i32
func.func @make(%x: f32) -> (memref<2xf32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 7 : i32
  %b = memref.alloc() : memref<2xf32>
  memref.store %x, %b[%c0] : memref<2xf32>
  memref.store %x, %b[%c1] : memref<2xf32>
  return %b, %n : memref<2xf32>, i32
}
// CHECK-LABEL: func.func @main() -> (f32, i32)
// CHECK: %[[B:.*]] = memref.alloc() : memref<2xf32>
// CHECK: %[[N:.*]] = call @make(%{{.*}}, %[[B]]) : (f32, memref<2xf32>) -> i32
// CHECK: %[[Y:.*]] = memref.load %[[B]]
// CHECK: return %[[Y]], %[[N]]
// EVAL: 2.500000e+00 : f32
// EVAL-NEXT: 7 : i32
func.func @main() -> (f32, i32) {
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.5 : f32
  %0:2 = call @make(%x) : (f32) -> (memref<2xf32>, i32)
  %y = memref.load %0#0[%c1] : memref<2xf32>
  return %y, %0#1 : f32, i32
}
