// A relation that is wrong says nothing: what would follow from it is not missed in the format.
// RUN: split-file %s %t
// RUN: not mlc-opt --load-dialect=%t/wrong.yaml /dev/null 2>&1 | FileCheck %s
// CHECK: wrong.yaml:5:17: error: in relation: expected an operand, result or attribute at 'none = x'
// CHECK-NOT: error

//--- wrong.yaml
dialect: {name: wrong}
ops:
  - name: related
    operands: [{name: x, type: any_type}]
    relations: ["none = x"]
    format: "$x attr-dict"
