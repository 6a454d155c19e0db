// RUN: mlc-opt %s --buffer-results-to-out-params=hoist-static-allocs --allow-unregistered-dialect | FileCheck %s
// A buffer of static shape is the argument, once; not where another return may need it, or its alignment counts.
// CHECK-LABEL: func.func @twice(%arg0: memref<8xf32>, %arg1: memref<8xf32>)
// CHECK-NOT: alloc
// CHECK: "u.fill"(%arg0)
// CHECK-NEXT: memref.copy %arg0, %arg1
func.func @twice() -> (memref<8xf32>, memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  "u.fill"(%b) : (memref<8xf32>) -> ()
  return %b, %b : memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: func.func @two_returns
// CHECK-COUNT-2: memref.copy
func.func @two_returns(%c: i1) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^two
^one:
  return %a : memref<8xf32>
^two:
  return %b : memref<8xf32>
}
// CHECK-LABEL: func.func @aligned
// CHECK: memref.copy
func.func @aligned() -> memref<8xf32> {
  %b = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  return %b : memref<8xf32>
}
