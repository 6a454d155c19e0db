// RUN: mlc-opt %s --expand-realloc | FileCheck %s
// RUN: mlc-opt %s --expand-realloc=emit-deallocs=false | FileCheck %s --check-prefix=KEEP
// CHECK-LABEL: func.func @grow
// CHECK: %[[GROWS:.*]] = arith.cmpi ult, %c4, %arg1
// CHECK: scf.if %[[GROWS]] -> (memref<?xf32>) {
// CHECK: %[[NEW:.*]] = memref.alloc(%arg1) {alignment = 8 : i64}
// CHECK: %[[PART:.*]] = memref.subview %[[NEW]][0] [4] [1]
// CHECK: memref.copy %arg0, %[[PART]]
// CHECK: memref.dealloc %arg0
// CHECK: scf.yield %[[NEW]]
// CHECK: } else {
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1], strides: [1]
// KEEP-NOT: memref.dealloc
func.func @grow(%m: memref<4xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.realloc %m(%n) {alignment = 8} : memref<4xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
