// RUN: mlc-opt %s --linalg-generalize-named-ops --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// linalg.generic is general already, and linalg.map's body has no argument for what it overwrites.
// CHECK: linalg.generic
// CHECK: linalg.map
// LOG: on 'linalg.map': is not a named op with a body over all operands
// LOG: on 'linalg.generic': is not a named op with a body over all operands
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %2 = linalg.map { math.absf } ins(%0 : tensor<4xf32>) outs(%x : tensor<4xf32>)
  return %2 : tensor<4xf32>
}
