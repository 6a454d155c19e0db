// RUN: mlc-opt %s --sccp | FileCheck %s
// Arguments of a private function are what its calls pass, if all calls are known; results are what it
// returns. A public function, one that is used otherwise, and a declaration may get anything.

// CHECK-LABEL: func.func private @add_one
// CHECK: %[[C:.*]] = arith.constant 42 : i32
// CHECK: return %[[C]]
func.func private @add_one(%a: i32) -> i32 {
  %one = arith.constant 1 : i32
  %sum = arith.addi %a, %one : i32
  return %sum : i32
}

// CHECK-LABEL: func.func private @called_twice(%arg0: i32)
// CHECK: return %arg0
func.func private @called_twice(%a: i32) -> i32 {
  return %a : i32
}

// CHECK-LABEL: func.func private @address_taken(%arg0: i32)
// CHECK: return %arg0
func.func private @address_taken(%a: i32) -> i32 {
  return %a : i32
}

func.func private @declared(i32) -> i32

// CHECK-LABEL: func.func @caller
// CHECK-DAG: %[[C:.*]] = arith.constant 42 : i32
// CHECK: %[[TWICE:.*]] = call @called_twice(%arg0)
// CHECK: %[[DECLARED:.*]] = call @declared
// CHECK: %[[TAKEN:.*]] = call @address_taken
// CHECK: return %[[C]], %[[TWICE]], %[[DECLARED]], %[[TAKEN]]
func.func @caller(%x: i32) -> (i32, i32, i32, i32) {
  %c = arith.constant 41 : i32
  %0 = call @add_one(%c) : (i32) -> i32
  %1 = call @called_twice(%c) : (i32) -> i32
  %2 = call @called_twice(%x) : (i32) -> i32
  %3 = call @declared(%c) : (i32) -> i32
  %4 = call @address_taken(%c) : (i32) -> i32
  %f = constant @address_taken : (i32) -> i32
  %5 = call_indirect %f(%x) : (i32) -> i32
  return %0, %2, %3, %4 : i32, i32, i32, i32
}
