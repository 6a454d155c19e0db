// RUN: mlc-opt %s --tile --canonicalize --target=x86-64-v3 | FileCheck %s
// Along the vectors, a loop of full tiles, and tiles of one vector of which as many elements are
// there as are left.
// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 8)>
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: scf.for
// CHECK: linalg.exp {{.*}} -> tensor<64xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}}
// CHECK: %[[LANES:.*]] = affine.min #[[LEFT]](%[[I]])[%[[N]]]
// CHECK: tensor.extract_slice %{{.*}}[%[[I]]] [%[[LANES]]] [1]
// CHECK: linalg.exp {{.*}} -> tensor<?xf32>
func.func @elements(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
