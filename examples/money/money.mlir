func.func @total(%price: !money.amount<"EUR">, %paid: !money.amount<"EUR">) -> !money.amount<"EUR"> {
  %fee = money.of 250 : !money.amount<"EUR">
  %due = money.sum %price, %fee : !money.amount<"EUR">
  %twice = money.double_difference %due, %paid : !money.amount<"EUR">
  return %twice : !money.amount<"EUR">
}
