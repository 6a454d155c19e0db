// RUN: mlc-opt %s --linalg-specialize-generic-ops --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// A body that no named op has, and operands that none takes.
// CHECK-LABEL: func.func @body
// CHECK: linalg.generic
// LOG: on 'linalg.generic': does what no named op does that is looked for
func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.subf %1, %a : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @operands
// CHECK: linalg.generic
// LOG: on 'linalg.generic': no named op is looked for that has its operands
func.func @operands(%x: tensor<4xindex>, %y: tensor<4xindex>) -> tensor<4xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xindex>) outs(%y : tensor<4xindex>) {
  ^bb0(%a: index, %b: index):
    linalg.yield %a : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}
