// Slabs before and behind the source: of rows over all columns, of columns beside the source's rows.
// RUN: mlc-opt %s --decompose-pad=around | FileCheck %s
// RUN: mlc-opt %s --decompose-pad=around --interpret --entry=pad --input=iota | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @pad
func.func @pad(%x: tensor<2x2xf32>) -> tensor<4x5xf32> {
  // CHECK: %[[BUFFER:.*]] = tensor.empty() : tensor<4x5xf32>
  // CHECK: tensor.extract_slice %[[BUFFER]][0, 0] [1, 5] [1, 1]
  // CHECK: %[[ABOVE:.*]] = tensor.insert_slice %{{.*}} into %[[BUFFER]][0, 0] [1, 5] [1, 1]
  // CHECK: %[[BELOW:.*]] = tensor.insert_slice %{{.*}} into %[[ABOVE]][3, 0] [1, 5] [1, 1]
  // CHECK: %[[BEHIND:.*]] = tensor.insert_slice %{{.*}} into %[[BELOW]][1, 2] [2, 3] [1, 1]
  // CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[BEHIND]][1, 0] [2, 2] [1, 1]
  // CHECK: %[[COPY:.*]] = linalg.generic {{.*}} outs(%[[MIDDLE]] : tensor<2x2xf32>)
  // CHECK: tensor.insert_slice %[[COPY]] into %[[BEHIND]][1, 0] [2, 2] [1, 1]
  // VALUE: dense<{{\[\[}}-1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00],
  // VALUE-SAME: [0.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00],
  // VALUE-SAME: [2.000000e+00, 3.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00],
  // VALUE-SAME: [-1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00{{\]\]}}>
  %c = arith.constant -1.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<2x2xf32> to tensor<4x5xf32>
  return %padded : tensor<4x5xf32>
}
