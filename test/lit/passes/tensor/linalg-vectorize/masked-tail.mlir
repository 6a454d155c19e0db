// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 | FileCheck %s
// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 | FileCheck %s --check-prefix=SHORT
// 19 = 16 + 3: the last vector is masked where masks cost nothing, else it has 4 lanes, of which 3 count.
// CHECK-LABEL: func.func @negate
// SHORT-LABEL: func.func @negate
func.func @negate(%x: tensor<19xf32>) -> tensor<19xf32> {
  // CHECK: vector.transfer_read {{.*}} : tensor<19xf32>, vector<16xf32>
  // CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, false, {{.*}}false]> : vector<16xi1>
  // CHECK: vector.transfer_read {{.*}}, %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<19xf32>, vector<16xf32>
  // CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<19xf32>
  // CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, false, {{.*}}false]> : vector<16xi1>
  // CHECK: vector.transfer_write {{.*}}, %[[MASK]] {in_bounds = [true]} : vector<16xf32>, tensor<19xf32>
  // SHORT: vector.transfer_read {{.*}} : tensor<19xf32>, vector<8xf32>
  // SHORT: vector.transfer_read {{.*}} : tensor<19xf32>, vector<8xf32>
  // SHORT: %[[MASK:.*]] = arith.constant dense<[true, true, true, false]> : vector<4xi1>
  // SHORT: vector.transfer_read {{.*}}, %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<19xf32>, vector<4xf32>
  // SHORT: vector.transfer_write {{.*}} : vector<4xf32>, tensor<19xf32>
  %empty = tensor.empty() : tensor<19xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<19xf32>) outs(%empty : tensor<19xf32>) {
  ^bb0(%e: f32, %out: f32):
    %neg = arith.negf %e : f32
    linalg.yield %neg : f32
  } -> tensor<19xf32>
  return %0 : tensor<19xf32>
}

// Less than a vector in all: a short one.
// CHECK-LABEL: func.func @short
func.func @short(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: vector.transfer_read {{.*}} : tensor<3xf32>, vector<4xf32>
  %empty = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%empty : tensor<3xf32>) {
  ^bb0(%e: f32, %out: f32):
    %neg = arith.negf %e : f32
    linalg.yield %neg : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
