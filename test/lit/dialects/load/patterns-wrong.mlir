// RUN: not mlc-opt --load-dialect=%S/Inputs/patterns_wrong.yaml %s 2>&1 | FileCheck %s
// A pattern has a C function, and an op lists its patterns once.
// CHECK: patterns_wrong.yaml:5:9: error: expected a word, or `word: symbol`
// CHECK-NEXT: patterns_wrong.yaml:7:22: error: expected the C function of the pattern 'of a list'
// CHECK-NEXT: patterns_wrong.yaml:8:23: error: expected the C function of the pattern 'of nothing'
// CHECK-NEXT: patterns_wrong.yaml:10:9: error: expected a word, or `word: symbol`
// CHECK-NEXT: patterns_wrong.yaml:12:30: error: expected the C function of the pattern 'of b'
// CHECK-NEXT: patterns_wrong.yaml:12:45: error: 'wrong.b' lists patterns twice
