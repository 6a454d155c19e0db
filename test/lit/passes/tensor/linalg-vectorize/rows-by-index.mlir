// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 --verify-diagnostics
// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 2>/dev/null | FileCheck %s
// A body that finds elements by itself: where neighbouring lanes find neighbours, they are one vector, at a position that
// is computed once.
// CHECK-LABEL: func.func @rows
// CHECK: %[[I:.*]] = tensor.extract %arg1[%c0]
// CHECK: %[[R:.*]] = arith.index_cast %[[I]]
// CHECK: %[[V:.*]] = vector.transfer_read %arg0[%[[R]], %c0]{{.*}} vector<8xf32>
// CHECK: %[[D:.*]] = arith.mulf %[[V]], %[[V]] : vector<8xf32>
// CHECK: vector.transfer_write %[[D]]
func.func @rows(%table: tensor<9x8xf32>, %indices: tensor<1xi64>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%indices : tensor<1xi64>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%i: i64, %o: f32):
    %row = arith.index_cast %i : i64 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %table[%row, %column] : tensor<9x8xf32>
    %d = arith.mulf %v, %v : f32
    linalg.yield %d : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// One element for all lanes, and a position that is moved.
// CHECK-LABEL: func.func @moved
// CHECK: %[[A:.*]] = arith.addi %c0, %c5
// CHECK: %[[V:.*]] = vector.transfer_read %arg0[%[[A]]]
// CHECK: %[[S:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK: arith.addf %[[V]], %[[S]]
func.func @moved(%line: tensor<9xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %c5 = arith.constant 5 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.addi %i, %c5 : index
    %v = tensor.extract %line[%at] : tensor<9xf32>
    %s = tensor.extract %line[%c5] : tensor<9xf32>
    %d = arith.addf %v, %s : f32
    linalg.yield %d : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Neighbouring lanes find elements of different rows.
func.func @columns(%table: tensor<8x9xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %c0 = arith.constant 0 : index
  // expected-remark @below {{not vectorized: its body reads elements that are no neighbours}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %table[%i, %c0] : tensor<8x9xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
