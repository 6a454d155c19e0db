// RUN: not calc-opt %s "builtin.module(func.func(calc-expand))" 2>&1 | FileCheck %s
// CHECK: expand-error.mlir:4:8: error: 'calc.power' op cannot be expanded: its exponent is -2
func.func @root(%x: i32) -> i32 {
  %y = calc.power %x to -2 : i32
  return %y : i32
}
