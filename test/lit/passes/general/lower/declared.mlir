// RUN: mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/declared.rules %s --lower=by=declared --split-input-file --verify-diagnostics | FileCheck %s
// Functions that rules call are declared once, in the nearest table of symbols.
// CHECK: func.func private @once(i64) -> i64
// CHECK: call @plus(%arg0, %arg0) : (i64, i64) -> i64
// CHECK: call @plus(%{{.*}}, %arg0) : (i64, i64) -> i64
// CHECK: call @once(
// CHECK: func.func private @plus(i64, i64) -> i64
// CHECK-NOT: @plus
func.func private @once(!loopy.money) -> !loopy.money
func.func @f(%x: !loopy.money) -> !loopy.money {
  %0 = "loopy.add"(%x, %x) : (!loopy.money, !loopy.money) -> !loopy.money
  %1 = "loopy.add"(%0, %x) : (!loopy.money, !loopy.money) -> !loopy.money
  %2 = "loopy.product"(%1, %x) : (!loopy.money, !loopy.money) -> !loopy.money
  return %2 : !loopy.money
}

// -----
// CHECK: module @inner
// CHECK: call @plus
// CHECK: func.func private @plus(i32, i32) -> i32
module @inner {
  func.func @f(%x: i32) -> i32 {
    %0 = "loopy.add"(%x, %x) : (i32, i32) -> i32
    return %0 : i32
  }
}
func.func private @plus() -> i32

// -----
func.func private @plus(!loopy.money) -> !loopy.money
func.func @f(%x: !loopy.money) -> !loopy.money {
  // expected-error @+3 {{failed to legalize operation 'loopy.add'}}
  // expected-note @+2 {{pattern 'types of values'}}
  // expected-note @+1 {{'add': '@plus' is there already as (i64) -> i64, not (i64, i64) -> i64}}
  %0 = "loopy.add"(%x, %x) : (!loopy.money, !loopy.money) -> !loopy.money
  return %0 : !loopy.money
}

// -----
module @plus {
}
func.func @f(%x: i32) -> i32 {
  // expected-error @+3 {{failed to legalize operation 'loopy.add'}}
  // expected-note @+2 {{pattern 'types of values'}}
  // expected-note @+1 {{'add': '@plus' is there already, and no function}}
  %0 = "loopy.add"(%x, %x) : (i32, i32) -> i32
  return %0 : i32
}
