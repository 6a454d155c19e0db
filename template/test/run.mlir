// RUN: mlc-opt --load-plugin=calc_plugin %s --calc-expand --convert-to-llvm | mlc-opt --interpret --entry main --input 3 | FileCheck %s
// 3^5, through the ops of llvm that calc's are lowered to.
// CHECK: 243
func.func @main(%x: i32) -> i32 {
  %y = calc.power %x to 5 : i32
  return %y : i32
}
