func.func @f(%x: i32, %y: i32) -> (i32, i32) {
  %xor = arith.xori %x, %y : i32
  %and = arith.andi %y, %x : i32
  %or = arith.addi %and, %xor : i32
  %c64 = arith.constant 64 : i32
  %low = arith.remui %or, %c64 : i32
  return %or, %low : i32, i32
}
