// RUN: not mlc-opt --load-dialect=%S/Inputs/derived_wrong.yaml %s 2>&1 | FileCheck %s
// Interfaces that would be derived from what is not there.
// CHECK: derived_wrong.yaml:4:18: error: 'branch' is derived from successors, and a group of operands for each, which 'wrong.br' has not
// CHECK: derived_wrong.yaml:7:18: error: 'view_like' is derived from a first operand, which 'wrong.view' has not
// CHECK: derived_wrong.yaml:9:18: error: 'callable' is derived from a region, which 'wrong.callable' has not
// CHECK: derived_wrong.yaml:11:18: error: 'region_branch' is derived from regions, which 'wrong.rb' has not
// CHECK: derived_wrong.yaml:13:18: error: 'region_terminator' is derived from the trait 'terminator', which 'wrong.rt' has not
// CHECK: derived_wrong.yaml:15:18: error: 'fastmath' is derived from an attribute 'fastmath', which 'wrong.fm' has not
// CHECK: derived_wrong.yaml:17:18: error: 'asm_names' is derived from results, which 'wrong.an' has not
// CHECK: derived_wrong.yaml:20:48: error: the operands in ins and outs have no types of their own: list the groups under 'operands' and 'results'
// CHECK: derived_wrong.yaml:21:49: error: the operands in ins and outs have no types of their own: list the groups under 'operands' and 'results'
