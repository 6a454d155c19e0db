// RUN: mlc-opt %s --graph-widen-floats | FileCheck %s
// Ops that only move elements take them as they are: narrow from memory, f32 between ops that compute.
// CHECK-LABEL: func.func @between
// CHECK: %[[E:.*]] = graph.exp {{.*}} -> tensor<2x3xf32>
// CHECK: %[[T:.*]] = graph.transpose %[[E]] {{.*}} -> tensor<3x2xf32>
// CHECK: graph.tanh %[[T]]
func.func @between(%x: tensor<2x3xf16>) -> tensor<3x2xf16> {
  %e = graph.exp %x : (tensor<2x3xf16>) -> tensor<2x3xf16>
  %t = graph.transpose %e {perm = array<i64: 1, 0>} : (tensor<2x3xf16>) -> tensor<3x2xf16>
  %r = graph.tanh %t : (tensor<3x2xf16>) -> tensor<3x2xf16>
  return %r : tensor<3x2xf16>
}

// A cache is read and written in f16.
// CHECK-LABEL: func.func @cache
// CHECK: %[[E:.*]] = graph.exp {{.*}} -> tensor<1x4xf32>
// CHECK: %[[N:.*]] = graph.cast %[[E]] : (tensor<1x4xf32>) -> tensor<1x4xf16>
// CHECK: %[[ALL:.*]] = graph.concat %arg1, %[[N]] {{.*}} -> tensor<8x4xf16>
// CHECK: %[[WIDE:.*]] = graph.cast %[[ALL]] : (tensor<8x4xf16>) -> tensor<8x4xf32>
// CHECK: graph.tanh %[[WIDE]]
// CHECK: return %[[ALL]]
func.func @cache(%x: tensor<1x4xf16>, %past: tensor<7x4xf16>) -> (tensor<8x4xf16>, tensor<8x4xf16>) {
  %new = graph.exp %x : (tensor<1x4xf16>) -> tensor<1x4xf16>
  %all = graph.concat %past, %new {axis = 0 : i64} : (tensor<7x4xf16>, tensor<1x4xf16>) -> tensor<8x4xf16>
  %r = graph.tanh %all : (tensor<8x4xf16>) -> tensor<8x4xf16>
  return %all, %r : tensor<8x4xf16>, tensor<8x4xf16>
}

// A table that rows are taken from stays in f16; where all of it is multiplied, it is f32.
// CHECK-LABEL: func.func @table
// CHECK-DAG: %[[TABLE:.*]] = graph.constant {{.*}} : tensor<2x2xf16>
// CHECK-DAG: %[[WIDE:.*]] = graph.constant {{.*}} : tensor<2x2xf32>
// CHECK-DAG: %[[G:.*]] = graph.gather %[[TABLE]], %arg0 {{.*}} -> tensor<1x2xf16>
// CHECK-DAG: %[[ROW:.*]] = graph.cast %[[G]] : (tensor<1x2xf16>) -> tensor<1x2xf32>
// CHECK-DAG: %[[T:.*]] = graph.transpose %[[WIDE]] {{.*}} -> tensor<2x2xf32>
// CHECK: graph.matmul %[[ROW]], %[[T]]
func.func @table(%ids: tensor<1xi64>) -> tensor<1x2xf16> {
  %table = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %row = graph.gather %table, %ids : (tensor<2x2xf16>, tensor<1xi64>) -> tensor<1x2xf16>
  %t = graph.transpose %table {perm = array<i64: 1, 0>} : (tensor<2x2xf16>) -> tensor<2x2xf16>
  %r = graph.matmul %row, %t : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf16>
  return %r : tensor<1x2xf16>
}

// Nothing is computed, so nothing is converted.
// CHECK-LABEL: func.func @moved
// CHECK-NOT: graph.cast
// CHECK: return
func.func @moved(%x: tensor<2x3xbf16>) -> tensor<6xbf16> {
  %t = graph.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  %r = graph.reshape %t {shape = array<i64: 6>} : (tensor<3x2xbf16>) -> tensor<6xbf16>
  return %r : tensor<6xbf16>
}
