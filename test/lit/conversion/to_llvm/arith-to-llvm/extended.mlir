// RUN: mlc-opt %s --convert-arith-to-llvm | FileCheck %s
// Sums with a carry, products in twice the width, and roundings that are named.
// CHECK-LABEL: @carry
// CHECK: %[[R:.*]] = "llvm.intr.uadd.with.overflow"(%arg0, %arg1) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK: llvm.extractvalue %[[R]][0]
// CHECK: llvm.extractvalue %[[R]][1]
func.func @carry(%a: i32, %b: i32) -> (i32, i1) {
  %s, %c = arith.addui_extended %a, %b : i32, i1
  return %s, %c : i32, i1
}

// CHECK-LABEL: @product
// CHECK: %[[A:.*]] = llvm.sext %arg0 : vector<2xi8> to vector<2xi16>
// CHECK: %[[P:.*]] = llvm.mul %[[A]]
// CHECK: llvm.trunc %[[P]]
// CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(dense<8> : vector<2xi16>)
// CHECK: llvm.lshr %[[P]], %[[EIGHT]]
func.func @product(%a: vector<2xi8>, %b: vector<2xi8>) -> (vector<2xi8>, vector<2xi8>) {
  %l, %h = arith.mulsi_extended %a, %b : vector<2xi8>
  return %l, %h : vector<2xi8>, vector<2xi8>
}

// CHECK-LABEL: @round
// CHECK: llvm.fptrunc %arg0 : f64 to f32
// CHECK: llvm.intr.experimental.constrained.fptrunc %arg0 downward ignore : f64 to f32
// CHECK: llvm.intr.experimental.constrained.fptrunc %arg0 towardzero ignore : f64 to f32
func.func @round(%x: f64) -> (f32, f32, f32) {
  %0 = arith.truncf %x : f64 to f32
  %1 = arith.truncf %x downward : f64 to f32
  %2 = arith.truncf %x toward_zero : f64 to f32
  return %0, %1, %2 : f32, f32, f32
}
