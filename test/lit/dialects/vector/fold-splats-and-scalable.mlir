// RUN: mlc-opt %s --canonicalize | FileCheck %s
// One value for all elements folds whatever their number; elements that differ do not where it is
// not known.
// CHECK-LABEL: func.func @splats
// CHECK-DAG: arith.constant dense<6.000000e+00> : vector<f32>
// CHECK-DAG: arith.constant dense<6.000000e+00> : vector<4xf32>
func.func @splats() -> (vector<4xf32>, vector<f32>) {
  %a = arith.constant dense<2.0> : vector<4xf32>
  %b = arith.constant dense<2.0> : vector<f32>
  %0 = vector.fma %a, %a, %a : vector<4xf32>
  %1 = vector.fma %b, %b, %b : vector<f32>
  return %0, %1 : vector<4xf32>, vector<f32>
}
// CHECK-LABEL: func.func @scalable
// CHECK-DAG: arith.constant dense<4> : vector<[4]xi32>
// CHECK-DAG: vector.step : vector<[4]xindex>
// CHECK: arith.addi
func.func @scalable() -> (vector<[4]xindex>, vector<[4]xi32>) {
  %0 = vector.step : vector<[4]xindex>
  %1 = arith.addi %0, %0 : vector<[4]xindex>
  %2 = arith.constant dense<2> : vector<[4]xi32>
  %3 = arith.addi %2, %2 : vector<[4]xi32>
  return %1, %3 : vector<[4]xindex>, vector<[4]xi32>
}
