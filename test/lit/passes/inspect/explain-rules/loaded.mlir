// RUN: mlc-opt %s --load-rules=%S/Inputs/more.rules --explain-rules=ops=arith.muli,arith.maxsi --verify-diagnostics
// Rules that were loaded come after ours; a guard is told apart.
func.func @f(%a: i32) -> (i32, i32) {
  %c = arith.constant -2 : i32
  // expected-remark @+1 {{'double_of_negative': its guard does not hold}}
  %0 = arith.muli %a, %c : i32
  // expected-remark @+1 {{'max_of_one': operand 1 is not 7}}
  %1 = arith.maxsi %a, %c : i32
  return %0, %1 : i32, i32
}
