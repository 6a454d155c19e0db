// RUN: mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/loopy.rules %s --lower=by=maps,loops | FileCheck %s
// RUN: mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/loopy.rules %s --lower=by=maps,loops --interpret --entry nested --input 3 --input 2 --input 5 --input true | FileCheck %s --check-prefix=VALUES

// Regions move with their blocks' types converted, and get an argument more; lists keep their order.
// VALUES: 8 : i64
// VALUES: 5 : i32
// CHECK-LABEL: func.func @nested(%arg0: index, %arg1: i64, %arg2: i32, %arg3: i1) -> (i64, i32)
// CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %arg0 step %{{.*}} iter_args(%[[X:.*]] = %arg1, %[[Y:.*]] = %arg2) -> (i64, i32) {
// CHECK: %[[S:.*]] = arith.addi %[[X]], %arg1 : i64
// CHECK: %[[T:.*]] = scf.for %{{.*}} iter_args(%[[Z:.*]] = %[[S]]) -> (i64) {
// CHECK: %[[W:.*]] = scf.if %arg3 -> (i64) {
// CHECK-NEXT: scf.yield %[[Z]] : i64
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[S]] : i64
// CHECK: scf.yield %[[W]] : i64
// CHECK: scf.yield %[[T]], %[[Y]] : i64, i32
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @nested(%n: index, %a: !loopy.money, %b: i32, %c: i1) -> (!loopy.money, i32) {
  %r:2 = "loopy.repeat"(%n, %a, %b) ({
  ^bb0(%x: !loopy.money, %y: i32):
    %s = "loopy.add"(%x, %a) : (!loopy.money, !loopy.money) -> !loopy.money
    %t = "loopy.counted"(%n, %s) ({
    ^bb0(%i: index, %z: !loopy.money):
       %w = "loopy.when"(%c) ({
         "loopy.yield"(%z) : (!loopy.money) -> ()
       }, {
         "loopy.yield"(%s) : (!loopy.money) -> ()
       }) : (i1) -> !loopy.money
       "loopy.yield"(%w) : (!loopy.money) -> ()
    }) : (index, !loopy.money) -> !loopy.money
    "loopy.yield"(%t, %y) : (!loopy.money, i32) -> ()
  }) : (index, !loopy.money, i32) -> (!loopy.money, i32)
  return %r#0, %r#1 : !loopy.money, i32
}

// A list of none.
// CHECK-LABEL: func.func @empty(
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg0 step %{{.*}} {
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @empty(%n: index) {
  "loopy.repeat"(%n) ({
  ^bb0:
    "loopy.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// Groups of operands are counted; a structured op has the body of its definition.
// CHECK-LABEL: func.func @product(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x8xf32>
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[E]] : tensor<8x8xf32>)
// CHECK: linalg.matmul ins(%arg0, %arg1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%[[F]] : tensor<8x8xf32>)
func.func @product(%a: !loopy.table<f32>, %b: !loopy.table<f32>) -> !loopy.table<f32> {
  %r = "loopy.product"(%a, %b) : (!loopy.table<f32>, !loopy.table<f32>) -> !loopy.table<f32>
  return %r : !loopy.table<f32>
}

// CHECK-LABEL: func.func @each(
// CHECK: linalg.map { math.exp } ins(%arg0 : tensor<4xf32>)
func.func @each(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "loopy.each"(%a) ({
  ^bb0(%x: f32):
    %y = math.exp %x : f32
    "loopy.yield"(%y) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
