// RUN: not mlc-opt --load-dialect=%S/Inputs/lowers-to-wrong.yaml %s 2>&1 | FileCheck %s
// What `lowers_to` names is looked up where its dialect is known; what is not is for a dialect
// that is loaded later.
// CHECK: lowers-to-wrong.yaml:3:29: error: no other dialect has an op 'llvm.fad'
// CHECK: lowers-to-wrong.yaml:4:28: error: no other dialect has an op 'num.none'
// CHECK: lowers-to-wrong.yaml:5:29: error: no other dialect has an op 'fadd'
// CHECK: lowers-to-wrong.yaml:6:62: error: 'llvm.fadd' has other operands or results than 'num.few'
// CHECK: lowers-to-wrong.yaml:7:57: error: an op with regions, successors or sizes of operand groups does not lower by another name
// CHECK: lowers-to-wrong.yaml:8:34: error: 'llvm.br' has other operands or results than 'num.to_branch'
// CHECK: lowers-to-wrong.yaml:9:29: error: expected the name of an op, or a mapping of such names
// CHECK: lowers-to-wrong.yaml:14:29: error: 'llvm.fadd' has no attribute 'fastmath'
// CHECK: lowers-to-wrong.yaml:14:39: error: 'num.names' has no attribute 'flag'
// CHECK: lowers-to-wrong.yaml:14:57: error: expected attributes of 'llvm.fsub': {its name: name here}
