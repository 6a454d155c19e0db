// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-scalrep))' | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-scalrep))' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// A store to another element stands between and does not matter; the buffer goes with its last load.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 8
// CHECK-NEXT: %[[V:.*]] = arith.addi %[[I]], %[[I]]
// CHECK-NEXT: affine.store %[[V]], %arg0[%[[I]]]
func.func @forward(%out: memref<8xindex>) {
  %m = memref.alloc() : memref<16xindex>
  affine.for %i = 0 to 8 {
    %v = arith.addi %i, %i : index
    affine.store %v, %m[%i] : memref<16xindex>
    affine.store %i, %m[%i + 1] : memref<16xindex>
    %0 = affine.load %m[%i] : memref<16xindex>
    affine.store %0, %out[%i] : memref<8xindex>
  }
  memref.dealloc %m : memref<16xindex>
  return
}
// An index that may be the same, a loop that comes round, an argument that may be the other one.
// CHECK-LABEL: func.func @left
// CHECK-COUNT-3: affine.load
func.func @left(%a: memref<8xindex>, %b: memref<8xindex>, %j: index, %v: index) -> index {
  affine.store %v, %a[0] : memref<8xindex>
  affine.store %j, %a[symbol(%j)] : memref<8xindex>
  %0 = affine.load %a[0] : memref<8xindex>
  affine.for %i = 0 to 4 {
    %1 = affine.load %a[0] : memref<8xindex>
    %2 = arith.addi %1, %i : index
    affine.store %2, %a[0] : memref<8xindex>
  }
  affine.store %v, %a[1] : memref<8xindex>
  affine.store %j, %b[1] : memref<8xindex>
  %3 = affine.load %a[1] : memref<8xindex>
  %4 = arith.addi %0, %3 : index
  return %4 : index
}
// Stores that nobody sees, and loads that repeat; deeper, where nothing writes.
// CHECK-LABEL: func.func @repeated
// CHECK: affine.store %arg1, %arg0[0]
// CHECK-NEXT: %[[X:.*]] = affine.load %arg0[2]
// CHECK-NOT: affine.load
// CHECK: arith.addi %{{.*}}, %[[X]]
// CHECK-NOT: affine.load
// CHECK: return
func.func @repeated(%a: memref<8xindex>, %v: index) -> index {
  affine.store %v, %a[0] : memref<8xindex>
  affine.store %v, %a[0] : memref<8xindex>
  %0 = affine.load %a[2] : memref<8xindex>
  %1 = affine.for %i = 0 to 4 iter_args(%s = %0) -> index {
    %2 = affine.load %a[2] : memref<8xindex>
    %3 = arith.addi %s, %2 : index
    affine.yield %3 : index
  }
  return %1 : index
}
// What the loop inside writes is always the element behind.
// CHECK-LABEL: func.func @inner
// CHECK: affine.for
// CHECK: affine.for
// CHECK-NOT: affine.load
// CHECK: affine.store
func.func @inner(%a: memref<16xindex>, %v: index) {
  affine.for %i = 0 to 8 {
    affine.store %v, %a[%i] : memref<16xindex>
    affine.for %j = 0 to 4 {
      %0 = affine.load %a[%i] : memref<16xindex>
      %1 = arith.addi %0, %j : index
      affine.store %1, %a[%i + 1] : memref<16xindex>
    }
  }
  return
}
// EVAL{LITERAL}: dense<[0, 2, 4, 6, 8, 10, 12, 14]>
// EVAL-NEXT: 0 : index
// EVAL-NEXT: 20 : index
func.func @run() -> (memref<8xindex>, index, index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %out = memref.alloc() : memref<8xindex>
  func.call @forward(%out) : (memref<8xindex>) -> ()
  %m = memref.alloc() : memref<8xindex>
  affine.for %i = 0 to 8 {
    affine.store %c4, %m[%i] : memref<8xindex>
  }
  %0 = func.call @left(%m, %m, %c0, %c9) : (memref<8xindex>, memref<8xindex>, index, index) -> index
  %1 = func.call @repeated(%m, %c9) : (memref<8xindex>, index) -> index
  return %out, %0, %1 : memref<8xindex>, index, index
}
