// RUN: not mlc-opt --load-dialect=%S/Inputs/parts_wrong.yaml %s 2>&1 | FileCheck %s
// RUN: not mlc-opt --load-dialect=%S/Inputs/parts_unknown.yaml %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// A relation between parts names a part of each, which must be there.
// CHECK: parts_wrong.yaml:6:9: error: in relation: expected '.' and a part of this type at ')'
// CHECK: parts_wrong.yaml:7:9: error: in relation: expected whole types, as the first is, at ')'
// CHECK: parts_wrong.yaml:8:9: error: in relation: expected a parameter's name or a dimension's number at ', rhs.1)'
// CHECK: parts_wrong.yaml:9:9: error: in relation: expected ')' at '.0, rhs.1)'
// CHECK: parts_wrong.yaml:10:9: error: in relation: expected '=' at '.0 = rhs.1'
// UNKNOWN: parts_unknown.yaml:9:17: error: 'wrong.matrix' has no parameter 'columns'
