// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 --verify-diagnostics | FileCheck %s
// Structured ops that are left to the plain lowering to loops, and why.
#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NOT: vector.
func.func @elements(%x: tensor<4xindex>, %e: tensor<4xindex>) -> tensor<4xindex> {
  // expected-remark @below {{not vectorized: its elements are no integers or floats}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xindex>) outs(%e : tensor<4xindex>) {
  ^bb0(%a: index, %b: index):
    linalg.yield %a : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}
func.func @diagonal(%x: tensor<4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{not vectorized: its result is not written point by point}}
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @last_wins(%x: tensor<4x8xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not vectorized: a parallel loop does not run along its result}}
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @branches(%x: tensor<4xf32>, %e: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-remark @below {{not vectorized: its body has an op that does not work element by element}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      scf.yield %b : f32
    }
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @reads_indices(%x: tensor<9xindex>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not vectorized: its body reads elements that are no integers or floats}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%b: f32):
    %i = linalg.index 0 : index
    %at = tensor.extract %x[%i] : tensor<9xindex>
    %n = arith.index_cast %at : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @dot_products(%x: tensor<16x8xf32>, %y: tensor<16x8xf32>, %e: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-remark @below {{not vectorized: its tile needs more than 64 dot products; tile it first}}
  %0 = linalg.matmul_transpose_b ins(%x, %y : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @dynamic_group(%x: tensor<?x4x4x16xf32>, %e: tensor<4x4x1x1x?x16xf32>) -> tensor<4x4x1x1x?x16xf32> {
  // expected-remark @below {{not vectorized: it has dynamic shapes, or cannot be computed in groups}}
  %y = linalg.winograd_input_transform m(2) r(3) ins(%x : tensor<?x4x4x16xf32>) outs(%e : tensor<4x4x1x1x?x16xf32>) -> tensor<4x4x1x1x?x16xf32>
  return %y : tensor<4x4x1x1x?x16xf32>
}
func.func @group_of_integers(%x: tensor<1x4x4x16xi32>, %e: tensor<4x4x1x1x1x16xi32>) -> tensor<4x4x1x1x1x16xi32> {
  // expected-remark @below {{not vectorized: its elements are no floats}}
  %y = linalg.winograd_input_transform m(2) r(3) ins(%x : tensor<1x4x4x16xi32>) outs(%e : tensor<4x4x1x1x1x16xi32>) -> tensor<4x4x1x1x1x16xi32>
  return %y : tensor<4x4x1x1x1x16xi32>
}
