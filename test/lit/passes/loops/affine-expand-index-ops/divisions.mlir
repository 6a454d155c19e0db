// RUN: mlc-opt %s -affine-expand-index-ops -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -affine-expand-index-ops --interpret --entry run | FileCheck %s --check-prefix=EVAL
// CHECK-LABEL: func.func @sizes
// CHECK: affine.apply affine_map<()[s0] -> (s0 floordiv 35)>()[%arg0]
// CHECK: affine.apply affine_map<()[s0] -> ((s0 mod 35) floordiv 7)>()[%arg0]
// CHECK: affine.apply affine_map<()[s0] -> (s0 mod 7)>()[%arg0]
// CHECK-NOT: delinearize
func.func @sizes(%i: index) -> (index, index, index) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %0:3 = affine.delinearize_index %i into (%c3, %c5, %c7) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}
// CHECK-LABEL: func.func @dynamic
// CHECK: affine_map<()[s0, s1, s2] -> (s2 floordiv (s0 * s1))>()[%arg2, %arg3, %arg0]
func.func @dynamic(%i: index, %a: index, %b: index, %c: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %i into (%a, %b, %c) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}
// 76 = 2 * 35 + 0 * 7 + 6
// EVAL: 2
// EVAL: 0
// EVAL: 6
func.func @run() -> (index, index, index) {
  %c76 = arith.constant 76 : index
  %0:3 = func.call @sizes(%c76) : (index) -> (index, index, index)
  return %0#0, %0#1, %0#2 : index, index, index
}
