// RUN: mlc-opt %s --fuse --verify-diagnostics | FileCheck %s
// Structured ops that are not merged into their consumers, and why.
#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @several_results
// CHECK-COUNT-2: linalg.
func.func @several_results(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not fused: it has several results}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %a, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %1 = linalg.exp ins(%0#0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @old_contents
// CHECK-COUNT-2: linalg.
func.func @old_contents(%x: tensor<4xf32>, %old: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not fused: its body needs more than its inputs' elements}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%old : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @several_uses
// CHECK-COUNT-3: linalg.
func.func @several_uses(%x: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+2 {{not fused: it has several uses}}
  // expected-remark @+1 {{not fused: it has several uses}}
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.negf ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @windows
// CHECK-COUNT-2: linalg.
func.func @windows(%x: tensor<8xf32>, %e: tensor<8xf32>, %o: tensor<6x3xf32>) -> tensor<6x3xf32> {
  // expected-remark @below {{not fused: its consumer reads windows of it}}
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8xf32>) outs(%o : tensor<6x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x3xf32>
  return %1 : tensor<6x3xf32>
}
// CHECK-LABEL: func.func @again
// CHECK-COUNT-2: linalg.
func.func @again(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %e: tensor<4x8xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-remark @below {{not fused: its consumer would compute it again for each point of another loop}}
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%o : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}
// CHECK-LABEL: func.func @two_ways
// CHECK-COUNT-2: linalg.
func.func @two_ways(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @+2 {{not fused: its consumer reads it in two ways}}
  // expected-remark @+1 {{not fused: its consumer reads it in two ways}}
  %0 = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#all, #turned, #all], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @not_point_by_point
// CHECK-COUNT-2: linalg.generic
func.func @not_point_by_point(%x: tensor<4x8xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not fused: it does not write its result point by point}}
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
