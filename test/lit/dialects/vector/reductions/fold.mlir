// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Reductions of one element, and sums that are an accumulator.

// CHECK-LABEL: func.func @one_lane
// CHECK: %[[X:.*]] = vector.extract %arg0[0]
// CHECK: arith.addf %[[X]], %arg1 fastmath<nnan>
func.func @one_lane(%v: vector<1xf32>, %acc: f32) -> f32 {
  %r = vector.reduction <add>, %v, %acc fastmath<nnan> : vector<1xf32> into f32
  return %r : f32
}

// CHECK-LABEL: func.func @one_masked_lane
// CHECK-DAG: %[[M:.*]] = vector.extract %arg2[0]
// CHECK-DAG: %[[X:.*]] = vector.extract %arg0[0]
// CHECK: %[[Y:.*]] = arith.maxsi %[[X]], %arg1
// CHECK: arith.select %[[M]], %[[Y]], %arg1
func.func @one_masked_lane(%v: vector<1xi32>, %acc: i32, %m: vector<1xi1>) -> i32 {
  %r = vector.mask %m { vector.reduction <maxsi>, %v, %acc : vector<1xi32> into i32 } : vector<1xi1> -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @unit_dims
// CHECK: %[[X:.*]] = vector.shape_cast %arg0 : vector<1x4xf32> to vector<4xf32>
// CHECK: arith.mulf %arg1, %[[X]]
func.func @unit_dims(%v: vector<1x4xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
  %r = vector.multi_reduction <mul>, %v, %acc [0] : vector<1x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @accumulate
// CHECK: %[[R:.*]] = vector.contract {{.*}} %arg0, %arg1, %arg2
// CHECK: return %[[R]]
func.func @accumulate(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  %zero = arith.constant dense<0.0> : vector<2x4xf32>
  %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %zero : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  %s = arith.addf %c, %p : vector<2x4xf32>
  return %s : vector<2x4xf32>
}
