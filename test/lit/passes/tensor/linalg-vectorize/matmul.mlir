// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 | FileCheck %s
// Two rows by two vectors of 16: four accumulators, carried through the reduction, written once.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<8x32xf32>, %[[C:.*]]: tensor<2x32xf32>)
func.func @matmul(%a: tensor<2x8xf32>, %b: tensor<8x32xf32>, %c: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // CHECK-COUNT-4: vector.transfer_read %[[C]]
  // CHECK: scf.for %[[K:.*]] = {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  // CHECK:   %[[X:.*]] = tensor.extract %[[A]][%{{.*}}, %[[K]]]
  // CHECK:   %[[S:.*]] = vector.broadcast %[[X]] : f32 to vector<16xf32>
  // CHECK:   %[[V:.*]] = vector.transfer_read %[[B]][%[[K]], %{{.*}}]
  // CHECK:   vector.fma %[[S]], %[[V]], %{{.*}} : vector<16xf32>
  // CHECK-COUNT-3: vector.fma
  // CHECK-NOT: vector.fma
  // CHECK:   scf.yield
  // CHECK-COUNT-4: vector.transfer_write
  // CHECK-NOT: linalg
  %0 = linalg.matmul ins(%a, %b : tensor<2x8xf32>, tensor<8x32xf32>) outs(%c : tensor<2x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}
