// RUN: mlc-opt %s --ownership-based-buffer-deallocation | FileCheck %s
// RUN: mlc-opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership | FileCheck %s --check-prefix=DYNAMIC
// A caller owns what a call returns, so a function that returns its argument clones it. Private
// functions may return who owns it instead, if nothing but calls names them.
// CHECK-LABEL: func.func private @same(%arg0: memref<2xf32>) -> memref<2xf32>
// CHECK: bufferization.clone
// DYNAMIC-LABEL: func.func private @same(%arg0: memref<2xf32>) -> (memref<2xf32>, i1)
// DYNAMIC: %[[D:.*]] = bufferization.dealloc ({{.*}}) if (%false) retain (%arg0
// DYNAMIC: return %arg0, %[[D]]
func.func private @same(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}
// DYNAMIC-LABEL: func.func private @named(%arg0: memref<2xf32>) -> memref<2xf32>
func.func private @named(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}
// CHECK-LABEL: func.func @caller
// CHECK: %[[R:.*]] = call @same
// CHECK: bufferization.dealloc ({{.*}}) if (%false, %true)
// DYNAMIC-LABEL: func.func @caller
// DYNAMIC: %[[R:.*]]:2 = call @same
// DYNAMIC: bufferization.dealloc ({{.*}}) if (%false, %[[R]]#1)
func.func @caller(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @same(%m) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}
func.func @by_value(%m: memref<2xf32>) -> memref<2xf32> {
  %f = constant @named : (memref<2xf32>) -> memref<2xf32>
  %r = call_indirect %f(%m) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
