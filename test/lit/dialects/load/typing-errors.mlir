// RUN: not mlc-opt --check-dialect %S/Inputs/typing_errors.yaml %S/Inputs/typing_errors.rules 2>&1 | FileCheck %s
// RUN: not mlc-opt --check-dialect %S/Inputs/typing_errors.rules 2>&1 | FileCheck %s --check-prefix=RULES
// A name near one that there is gets it suggested; rules are not checked where a dialect has mistakes.

// CHECK: typing_errors.yaml:4:21: error: unknown key 'sumary' of type; did you mean 'summary'?
// CHECK: typing_errors.yaml:2:31: error: unknown word 'integr'; did you mean 'integer'?
// CHECK: typing_errors.yaml:4:71: error: no constraint, type, attribute or enum is named 'type_atr'; did you mean 'type_attr'?
// CHECK: typing_errors.yaml:6:78: error: unknown trait 'comutative'; did you mean 'commutative'?
// CHECK: typing_errors.yaml:6:58: error: unknown word 'variadc'; did you mean 'variadic'?
// CHECK: typing_errors.yaml:7:87: error: unknown interface 'bransh'; did you mean 'branch'?
// CHECK: typing_errors.yaml:7:66: error: unknown hook 'verfy'; did you mean 'verify'?
// CHECK: typing_errors.yaml:7:104: error: {{.*}} is called 'facter'; did you mean 'factor'?
// CHECK: typing_errors.yaml:8:90: error: unknown semantics 'repaet'; did you mean 'repeat'?
// CHECK: typing_errors.yaml:9:44: error: 'arith.addi' has no attribute 'overflowflags'; did you mean 'overflowFlags'?
// CHECK: typing_errors.yaml:9:59: error: 'typos.three' has no attribute 'x'{{$}}
// CHECK: typing_errors.yaml:1:36: error: there is no op 'typos.onne'; did you mean 'typos.one'?
// CHECK-NEXT: typing_errors.rules:1:1: error: '{{.*}}typing_errors.rules' was not checked: its dialect has mistakes
// RULES: typing_errors.rules:2:15: error: there is no op 'adi'; did you mean 'addi'?
// RULES: typing_errors.rules:3:36: error: 'sl' is no case of attribute 'predicate' of 'arith.cmpi'; did you mean 'slt'?
// RULES: typing_errors.rules:4:36: error: 'arith.constant' has no attribute 'valu'; did you mean 'value'?
// RULES: typing_errors.rules:5:27: error: there is no op 'math.absx'; did you mean 'math.absf'?
