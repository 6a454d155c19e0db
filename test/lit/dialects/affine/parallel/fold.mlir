// RUN: mlc-opt %s -canonicalize | FileCheck %s
// CHECK-LABEL: func.func @bounds
// CHECK: affine.parallel (%[[I:.*]]) = (0) to (symbol(%arg1) * 2) {
// CHECK-NEXT: affine.parallel (%{{.*}}) = (%[[I]] + 1) to (9) {
func.func @bounds(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %upper = affine.apply affine_map<(d0) -> (d0 * 2)>(%n)
  affine.parallel (%i) = (%c0) to (%upper) {
    %lower = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.parallel (%j) = (%lower) to (%c9) {
      affine.store %j, %m[%j] : memref<?xindex>
    }
  }
  return
}
