// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// CHECK-LABEL: func.func @known
// CHECK-NEXT: return %arg1, %arg0
func.func @known(%a: index, %b: index) -> (index, index) {
  %0 = affine.if affine_set<() : (1 == 0)>() -> index {
    affine.yield %a : index
  } else {
    affine.yield %b : index
  }
  %1 = affine.if affine_set<(d0) : (d0 - d0 == 0)>(%a) -> index {
    affine.yield %a : index
  } else {
    affine.yield %b : index
  }
  return %0, %1 : index, index
}
// An empty else goes; the condition is composed.
// CHECK-LABEL: func.func @compose
// CHECK: affine.if affine_set<(d0) : (d0 * 2 - 3 >= 0)>(%{{.*}}) {
// CHECK-NOT: else
func.func @compose(%m: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %0 = affine.apply affine_map<(d0) -> (d0 * 2 - 3)>(%i)
    affine.if affine_set<(d0) : (d0 >= 0)>(%0) {
      affine.store %i, %m[%i] : memref<8xindex>
    } else {
    }
  }
  return
}
