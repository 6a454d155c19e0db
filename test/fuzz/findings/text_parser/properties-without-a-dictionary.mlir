
func.func @no_dictionary(%a: i32) {
  // expected-error @below {{invalid properties 7 : i32 for op arith.addi: expected DictionaryAttr to set properties}}
  // expected-error @below {{invalid properties 7 : i32 for op arith.addi: expected DictionaryAttr to set properties}}
  %0 = "{"(%a, %a) <7 : i32> : (i32, i32) -> i32
  return
}
