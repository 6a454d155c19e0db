// RUN: mlc-opt --load-dialect=%S/Inputs/own_constant.yaml --load-rules=%S/Inputs/own_constant.rules %s --canonicalize | FileCheck %s
// RUN: sed 's/constant_like, pure/pure/' %S/Inputs/own_constant.yaml > %t.yaml
// RUN: not mlc-opt --load-dialect=%t.yaml --load-rules=%S/Inputs/own_constant.rules %s --canonicalize 2>&1 | FileCheck %s --check-prefix=NONE
// A dialect that does not say what its ops fold to has its own constants; a rule that needs one
// where there is none is told.

// CHECK-LABEL: func.func @f
// CHECK: k.number 0 : i32
// NONE: own_constant.rules:2:25: error: dialect 'k' makes no constants: its head has no 'constants'
func.func @f(%x: i32) -> i32 {
  %0 = "k.sub"(%x, %x) : (i32, i32) -> i32
  return %0 : i32
}
