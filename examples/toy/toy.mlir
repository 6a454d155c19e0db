func.func @f(%a: i32) -> (i32, i32) {
  %x = toy.twice %a : i32
  %y = toy.twice %a : i32
  return %x, %y : i32, i32
}
