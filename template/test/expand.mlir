// RUN: mlc-opt --load-plugin=calc_plugin %s --calc-expand | FileCheck %s
// A square for each binary digit, and a product for each that is one.
// CHECK-LABEL: func.func @thirteen
// CHECK-NEXT: %[[X2:.*]] = calc.mul %arg0, %arg0 : i32
// CHECK-NEXT: %[[X4:.*]] = calc.mul %[[X2]], %[[X2]] : i32
// CHECK-NEXT: %[[X5:.*]] = calc.mul %arg0, %[[X4]] : i32
// CHECK-NEXT: %[[X8:.*]] = calc.mul %[[X4]], %[[X4]] : i32
// CHECK-NEXT: %[[X13:.*]] = calc.mul %[[X5]], %[[X8]] : i32
// CHECK-NEXT: return %[[X13]] : i32
func.func @thirteen(%x: i32) -> i32 {
  %y = calc.power %x to 13 : i32
  return %y : i32
}
