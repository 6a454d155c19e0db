// RUN: mlc-opt --load-dialect=%S/../calc.yaml --load-rules=%S/../calc.rules %s --canonicalize | FileCheck %s
// RUN: mlc-opt --load-plugin=calc_plugin %s --canonicalize | FileCheck %s
// The same from the files as they stand, and compiled. Constants are folded by the op's `body`.
// CHECK-LABEL: func.func @simplify
// CHECK-NEXT: %[[C36:.*]] = arith.constant 36 : i32
// CHECK-NEXT: return %arg0, %[[C36]] : i32, i32
func.func @simplify(%x: i32) -> (i32, i32) {
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %y = calc.power %x to 1 : i32
  %z = calc.mul %one, %y : i32
  %n = calc.mul %six, %six : i32
  return %z, %n : i32, i32
}
