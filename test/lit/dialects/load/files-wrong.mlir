// RUN: not mlc-opt --load-dialect=%S/Inputs/torn.yaml %s 2>&1 | FileCheck %s
// Faults of a dialect of several files stand in the file that has them.
// CHECK: torn_more.yaml:14:1: error: unknown key 'dialects' of further file
// CHECK: torn_more.yaml:6:8: error: this section has another form in another file
// CHECK: torn.yaml:3:27: error: {{.*}}nowhere.yaml
// CHECK: torn.yaml:3:41: error: expected the name of a file beside this one
// CHECK: torn_more.yaml:4:8: error: expected a list under 'enums'
// CHECK: torn_more.yaml:2:3: error: constraint 'small' is defined twice
// CHECK: torn_more.yaml:12:25: error: no constraint, type, attribute or enum is named 'nothing'
// CHECK: torn_more.yaml:9:5: error: op 'torn.a' is defined twice
