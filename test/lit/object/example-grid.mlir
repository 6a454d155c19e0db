// REQUIRES: target
// RUN: mlc run --load=%S/../../../examples/grid/grid.yaml %S/../../../examples/grid/grid.mlir | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt --load=%S/../../../examples/grid/grid.yaml %S/../../../examples/grid/grid.mlir --canonicalize | FileCheck %s
// RUN: mlc-opt --load-dialect=%S/../../../examples/grid/grid.yaml --split-input-file --verify-diagnostics %s
// Ten ops in YAML and rules alone: a type, an enumeration, regions; folded, verified, lowered, run.
// RESULT: output_0: f32 [2, 2] 4.24264 4.24264 4.24264 4.24264
// CHECK: grid.repeat %{{.*}} times
// CHECK: grid.map
// CHECK-NOT: grid.scale
// CHECK: grid.pick larger
!m = !grid.matrix<2 x 3 x f32>
func.func @begins_otherwise(%a: !m, %n: index) {
  // expected-error @+1 {{'grid.repeat' op 0-th init and 0-th region iter_arg have different type}}
  %r = grid.repeat %n times %a : !m {
  ^step(%x: f32):
    grid.yield %a : !m
  }
  return
}

// -----

!m = !grid.matrix<2 x 3 x f32>
func.func @ends_otherwise(%a: !m, %n: index) {
  // expected-error @+1 {{'grid.repeat' op 0-th region iter_arg and 0-th yielded value have different type}}
  %r = grid.repeat %n times %a : !m {
  ^step(%x: !m):
    %y = grid.fill 0.0 : f32 : !grid.matrix<3 x 2 x f32>
    grid.yield %y : !grid.matrix<3 x 2 x f32>
  }
  return
}

// -----

!m = !grid.matrix<2 x 3 x f32>
func.func @does_not_fit(%a: !m) {
  // expected-error @+1 {{'grid.product' op failed to verify that all of {lhs.columns, rhs.rows} are equal: 3, 2}}
  %p = grid.product %a, %a : !m, !m -> !grid.matrix<2 x 3 x f32>
  return
}

// -----

!m = !grid.matrix<2 x 3 x f32>
func.func @no_case(%a: !m) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'which' [larger, smaller]}}
  %p = grid.pick biggest %a, %a : !m
  return
}

// -----

!m = !grid.matrix<2 x 3 x f32>
func.func @nowhere(%a: !m) {
  // expected-error @+1 {{'grid.yield' op expects parent op to be one of 'grid.map, grid.repeat'}}
  grid.yield %a : !m
}
