// A buffer of vectors: the result's outer dimensions are walked, and there may be none.
// RUN: mlc-opt %s | mlc-opt --mlir-print-op-generic | FileCheck %s
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK: "vector.transfer_read"{{.*}}in_bounds = []{{.*}}permutation_map = #[[NONE]]
// CHECK: "vector.transfer_read"{{.*}}in_bounds = [false]{{.*}}permutation_map = #[[LAST]]
func.func @read(%m: memref<?x?xvector<4x3xi32>>, %i: index, %pad: vector<4x3xi32>) -> (vector<5x24xi8>, vector<7x4x3xi32>) {
  %0 = vector.transfer_read %m[%i, %i], %pad : memref<?x?xvector<4x3xi32>>, vector<5x24xi8>
  %1 = vector.transfer_read %m[%i, %i], %pad : memref<?x?xvector<4x3xi32>>, vector<7x4x3xi32>
  return %0, %1 : vector<5x24xi8>, vector<7x4x3xi32>
}
