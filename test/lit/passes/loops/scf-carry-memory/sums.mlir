// RUN: mlc-opt %s --scf-carry-memory | FileCheck %s
// RUN: mlc-opt %s --scf-carry-memory | mlc-opt --scf-carry-memory | FileCheck %s
// What is read, changed and written back leaves both loops; a second element is carried beside it.
// CHECK-LABEL: func.func @sums(
// CHECK: %[[T:.*]] = memref.load %arg2[%arg3]
// CHECK: %[[S:.*]] = memref.load %arg1[%arg3]
// CHECK: %[[OUTER:.*]]:2 = scf.for {{.*}} iter_args(%[[Y:.*]] = %[[T]], %[[X:.*]] = %[[S]]) -> (f32, f32)
// CHECK: %[[INNER:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %[[X]], %[[Q:.*]] = %[[Y]]) -> (f32, f32)
// CHECK: arith.addf %[[P]]
// CHECK: arith.mulf %[[Q]]
// CHECK-NOT: memref.store
// CHECK: scf.yield %[[INNER]]#1, %[[INNER]]#0
// CHECK-DAG: memref.store %[[OUTER]]#1, %arg1[%arg3]
// CHECK-DAG: memref.store %[[OUTER]]#0, %arg2[%arg3]
func.func @sums(%a: memref<4x4xf32>, %s: memref<8xf32>, %t: memref<8xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %m = %c0 to %c4 step %c1 {
      %x = memref.load %a[%k, %m] : memref<4x4xf32>
      %y = memref.load %s[%i] : memref<8xf32>
      %z = arith.addf %y, %x : f32
      memref.store %z, %s[%i] : memref<8xf32>
      %v = memref.load %t[%i] : memref<8xf32>
      %w = arith.mulf %v, %x : f32
      memref.store %w, %t[%i] : memref<8xf32>
    }
  }
  return
}
