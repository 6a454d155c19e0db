// RUN: mlc-opt --load-dialect=%S/Inputs/held.yaml --split-input-file --verify-diagnostics %s | FileCheck %s
// A parameter gives a result's type: the format has it not, and the generic form is checked.
// CHECK-LABEL: func.func @first
func.func @first(%box: !held.box<vector<4xf32>, 2>) -> vector<4xf32> {
  // CHECK: %[[R:.*]] = held.first %{{.*}} : <vector<4xf32>, 2>
  %0 = held.first %box : !held.box<vector<4xf32>, 2>
  // CHECK: return %[[R]] : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @other(%box: !held.box<f32, 2>) {
  // expected-error @+1 {{failed to verify that type of 'element' is parameter 'element' of 'box'}}
  %0 = "held.first"(%box) : (!held.box<f32, 2>) -> f64
  return
}
