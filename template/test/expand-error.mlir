// RUN: mlc-opt --load-plugin=calc_plugin %s --calc-expand --verify-diagnostics
func.func @root(%x: i32) -> i32 {
  // expected-error @+1 {{'calc.power' op cannot be expanded: its exponent is -2}}
  %y = calc.power %x to -2 : i32
  return %y : i32
}
