// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[TWICE:.*]] = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT: return %[[TWICE]], %[[TWICE]] : i32, i32
func.func @f(%x: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %same = arith.addi %x, %zero : i32
  %a = arith.addi %x, %same : i32
  %b = arith.addi %same, %same : i32
  return %a, %b : i32, i32
}
