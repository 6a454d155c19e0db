// RUN: mlc-opt %s --explain-rules=ops=arith.muli,arith.subi --verify-diagnostics
// RUN: mlc-opt %s --canonicalize --explain-rules=ops=arith.addi -o %t 2>&1 | FileCheck %s
// Of each rule, tried in both orders where the op is commutative, what is not so.
func.func @f(%a: i32, %b: i32, %z: i32) -> (i32, i32) {
  %one = arith.constant 1 : i32
  // expected-remark @+1 {{rules: 'mul_zero': operand 1 is not 0; 'mul_zero': operand 0 is not 0; 'mul_one': it matches}}
  %0 = arith.muli %a, %one : i32
  %1 = arith.addi %0, %b : i32
  // expected-remark @+1 {{rules: 'sub_same': operand 1 is not operand 0;}}
  %2 = arith.subi %1, %z : i32
  return %1, %2 : i32, i32
}
// CHECK-NOT: remark
// CHECK: explain.mlir:8:8: remark: rules: 'add_zero': operand 1 is not 0; {{.*}}'add_of_difference': operand 0 is not made by 'arith.subi'
// CHECK-NOT: remark
