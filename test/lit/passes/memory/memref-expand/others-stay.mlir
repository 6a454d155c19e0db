// RUN: mlc-opt %s --memref-expand | FileCheck %s
// Updates that machines have, and shapes that are no constants, stay.
// CHECK: memref.atomic_rmw addi
// CHECK: memref.reshape %{{.*}}(%arg3) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NOT: generic_atomic_rmw
func.func @f(%m: memref<?xi32>, %i: index, %v: i32, %shape: memref<?xindex>, %x: memref<?xf32>) -> memref<*xf32> {
  %0 = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<?xi32>) -> i32
  %1 = memref.reshape %x(%shape) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
  return %1 : memref<*xf32>
}
