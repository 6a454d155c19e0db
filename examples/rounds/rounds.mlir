func.func @squares(%a: i32, %first: index, %n: index, %step: index, %zero: i32) -> i32 {
  %sum = "rounds.count"(%first, %n, %step, %zero) ({
  ^bb0(%i: index, %before: i32):
    %square = arith.muli %a, %a : i32
    %after = arith.addi %before, %square : i32
    "rounds.next"(%after) : (i32) -> ()
  }) : (index, index, index, i32) -> i32
  return %sum : i32
}
