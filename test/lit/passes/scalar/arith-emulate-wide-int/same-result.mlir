// RUN: mlc-opt %s --arith-emulate-wide-int=widest-int-supported=8 | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --arith-emulate-wide-int=widest-int-supported=8 --interpret --entry run | FileCheck %s --check-prefix=EVAL
// No integer of 16 bits is left, and all results are the same.
// CHECK-NOT: i16
func.func @halves(%a: i16) -> (i8, i8) {
  %c8 = arith.constant 8 : i16
  %0 = arith.trunci %a : i16 to i8
  %1 = arith.shrui %a, %c8 : i16
  %2 = arith.trunci %1 : i16 to i8
  return %0, %2 : i8, i8
}
func.func @arithmetic(%a: i16, %b: i16) -> (i8, i8, i8, i8, i8, i8) {
  %0 = arith.addi %a, %b : i16
  %1 = arith.muli %a, %b : i16
  %2 = arith.xori %a, %b : i16
  %3:2 = call @halves(%0) : (i16) -> (i8, i8)
  %4:2 = call @halves(%1) : (i16) -> (i8, i8)
  %5:2 = call @halves(%2) : (i16) -> (i8, i8)
  return %3#0, %3#1, %4#0, %4#1, %5#0, %5#1 : i8, i8, i8, i8, i8, i8
}
func.func @shifts(%a: i16, %b: i16) -> (i8, i8, i8, i8, i8, i8) {
  %0 = arith.shli %a, %b : i16
  %1 = arith.shrui %a, %b : i16
  %2 = arith.shrsi %a, %b : i16
  %3:2 = call @halves(%0) : (i16) -> (i8, i8)
  %4:2 = call @halves(%1) : (i16) -> (i8, i8)
  %5:2 = call @halves(%2) : (i16) -> (i8, i8)
  return %3#0, %3#1, %4#0, %4#1, %5#0, %5#1 : i8, i8, i8, i8, i8, i8
}
func.func @order(%a: i16, %b: i16) -> (i1, i1, i1, i8, f32) {
  %0 = arith.cmpi slt, %a, %b : i16
  %1 = arith.cmpi uge, %a, %b : i16
  %2 = arith.cmpi ne, %a, %b : i16
  %3 = arith.maxsi %a, %b : i16
  %4 = arith.trunci %3 : i16 to i8
  %5 = arith.sitofp %a : i16 to f32
  return %0, %1, %2, %4, %5 : i1, i1, i1, i8, f32
}
func.func @run() -> (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i1, i1, i1, i8, f32) {
  %a = arith.constant -30000 : i16
  %b = arith.constant 11 : i16
  // EVAL: -37
  // EVAL-NEXT: -118
  // EVAL-NEXT: -16
  // EVAL-NEXT: -10
  // EVAL-NEXT: -37
  // EVAL-NEXT: -118
  %0:6 = call @arithmetic(%a, %b) : (i16, i16) -> (i8, i8, i8, i8, i8, i8)
  // EVAL-NEXT: 0
  // EVAL-NEXT: -128
  // EVAL-NEXT: 17
  // EVAL-NEXT: 0
  // EVAL-NEXT: -15
  // EVAL-NEXT: -1
  %1:6 = call @shifts(%a, %b) : (i16, i16) -> (i8, i8, i8, i8, i8, i8)
  // EVAL-NEXT: true
  // EVAL-NEXT: true
  // EVAL-NEXT: true
  // EVAL-NEXT: 11
  // EVAL-NEXT: -3.000000e+04
  %2:5 = call @order(%a, %b) : (i16, i16) -> (i1, i1, i1, i8, f32)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %1#0, %1#1, %1#2, %1#3, %1#4, %1#5, %2#0, %2#1, %2#2, %2#3, %2#4
    : i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i1, i1, i1, i8, f32
}
