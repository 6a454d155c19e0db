// RUN: mlc-opt %s --tile=rows=true --canonicalize --target=x86-64-v3 | FileCheck %s
// A row-by-row chain over rows whose number and length are not known: blocks of as many rows as fit
// the first cache if rows have the length that is assumed, the last block of what is left.
// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 8)>
// CHECK-LABEL: func.func @norm(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step
// CHECK: %[[ROWS:.*]] = affine.min #[[LEFT]](%[[I]])[%[[N]]]
// CHECK: tensor.extract_slice %{{.*}}[%[[I]], 0] [%[[ROWS]], %[[K]]] [1, 1]
// CHECK: tensor.empty(%[[ROWS]]) : tensor<?xf32>
// CHECK: linalg.reduce
// CHECK: linalg.generic
func.func @norm(%x: tensor<?x?xf32>, %n: index, %k: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty(%n) : tensor<?xf32>
  %all = tensor.empty(%n, %k) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%all : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
