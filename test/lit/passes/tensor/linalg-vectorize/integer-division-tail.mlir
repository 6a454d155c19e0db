// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 | FileCheck %s
// Lanes beyond the end are read as ones: what the body divides by there must not be zero.
// CHECK-LABEL: func.func @tail
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: vector.transfer_read %{{.*}}, %[[ONE]], %{{.*}} : tensor<3xi32>, vector<4xi32>
// CHECK: arith.divsi
func.func @tail(%a: tensor<3xi32>, %b: tensor<3xi32>, %out: tensor<3xi32>) -> tensor<3xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%out : tensor<3xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %q = arith.divsi %x, %y : i32
    linalg.yield %q : i32
  } -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
