// RUN: mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/calc.rules %s --lower=by=calc_to_arith | FileCheck %s
// RUN: mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/calc.rules %s --canonicalize | FileCheck %s --check-prefix=KEPT

// Types in signatures, calls, branches and regions.
// CHECK: func.func private @rate(i64) -> i64
func.func private @rate(!calc.money<"eur">) -> !calc.money<"eur">

// CHECK-LABEL: func.func @carried(%arg0: i64, %arg1: i1) -> i64
// CHECK: %[[IF:.*]] = scf.if %arg1 -> (i64) {
// CHECK: %[[C:.*]] = arith.constant 3 : i64
// CHECK: %[[CALL:.*]] = func.call @rate(%[[C]]) : (i64) -> i64
// CHECK: scf.yield %[[CALL]] : i64
// CHECK: cf.cond_br %arg1, ^bb1(%[[IF]] : i64), ^bb1(%arg0 : i64)
// CHECK: ^bb1(%[[Z:.*]]: i64):
// CHECK: vector.print %[[Z]] : i64
// CHECK: return %[[Z]] : i64
func.func @carried(%a: !calc.money<"eur">, %c: i1) -> !calc.money<"eur"> {
  %r = scf.if %c -> !calc.money<"eur"> {
    %k = calc.number 3 : !calc.money<"eur">
    %x = func.call @rate(%k) : (!calc.money<"eur">) -> !calc.money<"eur">
    scf.yield %x : !calc.money<"eur">
  } else {
    scf.yield %a : !calc.money<"eur">
  }
  cf.cond_br %c, ^one(%r : !calc.money<"eur">), ^one(%a : !calc.money<"eur">)
^one(%z: !calc.money<"eur">):
  calc.show %z : !calc.money<"eur">
  return %z : !calc.money<"eur">
}

// Of two rules the one of more benefit; its pattern reaches across an op that is converted before.
// CHECK-LABEL: func.func @reaches(
// CHECK: %[[X:.*]] = arith.addi %arg0, %arg0
// CHECK: %[[S:.*]] = arith.addi %[[X]], %arg1
// CHECK: return %[[S]]
func.func @reaches(%a: !calc.money<"eur">, %b: !calc.money<"eur">) -> !calc.money<"eur"> {
  %s = calc.scale %a by 2 : !calc.money<"eur">
  %0 = calc.add %b, %s : !calc.money<"eur">
  return %0 : !calc.money<"eur">
}

// A literal is a constant of the dialect of the op that takes it, not of the one that goes.
// CHECK-LABEL: func.func @literal(
// CHECK: %[[D:.*]] = arith.subi %arg0, %arg1 : i64
// CHECK: %[[C2:.*]] = arith.constant 2 : i64
// CHECK: arith.muli %[[D]], %[[C2]] : i64
func.func @literal(%a: !calc.money<"eur">, %b: !calc.money<"eur">) -> !calc.money<"eur"> {
  %0 = calc.twice_less %a, %b : !calc.money<"eur">
  return %0 : !calc.money<"eur">
}

// The cases of an enumeration go by their names.
// CHECK-LABEL: func.func @compared(
// CHECK: arith.cmpi sgt, %arg0, %arg1 : i64
func.func @compared(%a: !calc.money<"eur">, %b: !calc.money<"eur">) -> i1 {
  %0 = calc.compare sgt %a, %b : !calc.money<"eur">
  return %0 : i1
}

// Parameters of a type stand in the new one; containers follow their elements.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %arg0: vector<4xi32>, %arg1: tensor<2xi64>, %arg2: (i64) -> vector<8xf32>) -> vector<4xi32>
// CHECK: arith.addi %arg0, %arg0 : vector<4xi32>
func.func @types(%a: !calc.box<4 x i32>, %t: tensor<2x!calc.money<"usd">>,
                 %f: (!calc.money<"usd">) -> !calc.box<8 x f32>) -> !calc.box<4 x i32> {
  %0 = calc.add %a, %a : !calc.box<4 x i32>
  return %0 : !calc.box<4 x i32>
}

// Where nothing is to be converted, nothing is.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT: %[[A:.*]] = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT: return %[[A]]
func.func @others(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

// Rules of lowerings are no peepholes; those outside of them are, and do not lower.
// KEPT-LABEL: func.func @peepholes(
// KEPT-NEXT: %[[ADD:.*]] = calc.add %arg0, %arg0
// KEPT-NEXT: return %[[ADD]]
// CHECK-LABEL: func.func @peepholes(
// CHECK: arith.muli
func.func @peepholes(%a: !calc.money<"eur">) -> !calc.money<"eur"> {
  %0 = calc.scale %a by 1 : !calc.money<"eur">
  %1 = calc.add %0, %a : !calc.money<"eur">
  return %1 : !calc.money<"eur">
}
