// RUN: not mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/wrong-regions.rules %s 2>&1 | FileCheck %s
// Lists and regions that a rule cannot have.
// CHECK: wrong-regions.rules:2:36: error: 'loopy.when' has 2 regions, not 1
// CHECK: wrong-regions.rules:4:31: error: where lists stand, each stands for operands of 'scf.for' of which there may be several, and each name for one
// CHECK: wrong-regions.rules:5:20: error: 'loopy.when' has 2 regions, not 1
// CHECK: wrong-regions.rules:6:14: error: 'loopy.counted' has 1 region, not 0
// CHECK: wrong-regions.rules:7:36: error: 'loopy.when' has 2 regions, not 0
// CHECK: wrong-regions.rules:8:50: error: '@yes' moves to one place only
// CHECK: wrong-regions.rules:9:41: error: '@body' is lost: one that goes is '@_'
// CHECK: wrong-regions.rules:10:68: error: no '@other' in the pattern
// CHECK: wrong-regions.rules:11:39: error: arguments of regions stand on the right, or before a body
// CHECK: wrong-regions.rules:12:70: error: the region's own arguments, ..., stand there once
// CHECK: wrong-regions.rules:13:48: error: several values, x... and [x, y], are for operands
// CHECK: wrong-regions.rules:14:32: error: several values, x... and [x, y], are for operands
// CHECK: wrong-regions.rules:15:33: error: 'linalg.matmul' has 2 groups of operands, not 3: [x, y] is a group, [] one of none
// CHECK: wrong-regions.rules:16:27: error: only the op that goes gives its regions
// CHECK: wrong-regions.rules:17:39: error: a list or a region stands in one place of a pattern
// CHECK: wrong-regions.rules:18:35: error: there is no op 'some'
// CHECK: wrong-regions.rules:19:53: error: this operand of 'linalg.matmul' needs a type
// CHECK: wrong-regions.rules:20:65: error: more than 8 arguments
func.func private @f()
