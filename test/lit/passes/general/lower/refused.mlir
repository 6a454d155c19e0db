// RUN: split-file %s %t
// RUN: mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/half.mlir --lower=by=half | FileCheck %s --check-prefix=HALF
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/half.mlir --pass-pipeline='builtin.module(lower{by=half,no_products})' 2>&1 | FileCheck %s --check-prefix=STAGED
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/small.mlir --lower=by=half 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/small.mlir --lower=by=none_stays 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/tensor.mlir --lower=by=no_elements 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/small.mlir --lower=by=calc_to_arith 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules %t/small.mlir --lower 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/refused.rules --load-rules=%S/Inputs/refused.rules %t/small.mlir 2>&1 | FileCheck %s --check-prefix=TWICE

// HALF: func.func @f(
// HALF-NEXT: %[[M:.*]] = arith.muli %arg1, %arg0 : i64
// HALF-NEXT: return %[[M]]
// STAGED: half.mlir:2:8: error: failed to legalize operation 'arith.muli' that was explicitly marked illegal
// NONE: small.mlir:2:8: error: failed to legalize operation 'calc.scale' that was explicitly marked illegal
// NONE: note: pattern 'half': no rule matches: 'large': its guard does not hold
// NONE: note: pattern 'types of values': it has values of types that the lowering converts, and no rule
// STAYS: small.mlir:2:8: error: failed to legalize operation 'calc.scale' that was explicitly marked illegal
// ELEMENT: tensor.mlir:1:1: error: failed to legalize operation 'func.func'
// UNKNOWN: error: no rules that are loaded have a lowering 'calc_to_arith'
// NAMES: error: 'lower' needs the names of lowerings, by=...
// TWICE: refused.rules:4:10: error: another file has a lowering 'half' already

//--- half.mlir
func.func @f(%a: !calc.money<"eur">, %b: !calc.money<"eur">) -> !calc.money<"eur"> {
  %0 = calc.add %b, %a : !calc.money<"eur">
  return %0 : !calc.money<"eur">
}
//--- small.mlir
func.func @f(%a: !calc.money<"eur">) -> !calc.money<"eur"> {
  %0 = calc.scale %a by 2 : !calc.money<"eur">
  return %0 : !calc.money<"eur">
}
//--- tensor.mlir
func.func private @f(tensor<2x!calc.money<"eur">>)
