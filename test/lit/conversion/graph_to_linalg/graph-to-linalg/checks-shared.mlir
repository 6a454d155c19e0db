// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// Many indices are checked row by row, so that threads can share it, and then the rows.
// CHECK-LABEL: func.func @many
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%arg1 : tensor<64x256xi64>)
// CHECK: %[[ANY:.*]] = linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}} ins(%[[ROWS]] : tensor<64xi64>)
// CHECK: tensor.extract %[[ANY]][]
// CHECK: cf.assert
func.func @many(%data: tensor<64x999xf32>, %indices: tensor<64x256xi64>) -> tensor<64x256xf32> {
  %0 = graph.gather_elements %data, %indices {axis = 1 : i64} : (tensor<64x999xf32>, tensor<64x256xi64>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}
