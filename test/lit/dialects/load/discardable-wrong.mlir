// RUN: not mlc-opt --load-dialect=%S/Inputs/discardable.yaml %s 2>&1 | FileCheck %s
// What a dialect lists of attributes for ops of others has a type, and no keys that nobody knows.
// CHECK: discardable.yaml:3:5: error: the attribute 'kind' has no type
// CHECK: discardable.yaml:4:34: error: unknown key 'writes' of discardable attribute
