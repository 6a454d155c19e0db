// RUN: not mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/wrong-bodies.rules %s 2>&1 | FileCheck %s
// Mistakes in regions that are written, looked into or put in place.
// CHECK: wrong-bodies.rules:41:67: error: functions are declared by lowerings only: "@g" is one that is there
// CHECK-NEXT: {{.*}}wrong-bodies.rules:3:49: error: '@no' has a body already
// CHECK-NEXT: {{.*}}wrong-bodies.rules:4:67: error: argument 'i' of a region needs a type
// CHECK-NEXT: {{.*}}wrong-bodies.rules:5:75: error: a region that is written has no arguments of its own
// CHECK-NEXT: {{.*}}wrong-bodies.rules:6:80: error: '...' stands in patterns
// CHECK-NEXT: {{.*}}wrong-bodies.rules:7:57: error: the last op in a region of 'scf.execute_region' is its terminator
// CHECK-NEXT: {{.*}}wrong-bodies.rules:8:83: error: 'scf.yield' ends a region, and ops follow it
// CHECK-NEXT: {{.*}}wrong-bodies.rules:9:79: error: a region holds ops
// CHECK-NEXT: {{.*}}wrong-bodies.rules:10:87: error: 'vector.print' has no result
// CHECK-NEXT: {{.*}}wrong-bodies.rules:11:69: error: there is another 'n'
// CHECK-NEXT: {{.*}}wrong-bodies.rules:12:101: error: no 'v' in the pattern
// CHECK-NEXT: {{.*}}wrong-bodies.rules:13:67: error: 'idx' is no type: expected non-function type
// CHECK-NEXT: {{.*}}wrong-bodies.rules:14:68: error: 'v' lies in a region of the pattern
// CHECK-NEXT: {{.*}}wrong-bodies.rules:15:81: error: 'm' lies in a region of the pattern
// CHECK-NEXT: {{.*}}wrong-bodies.rules:16:41: error: '...' stands before the last op of a region
// CHECK-NEXT: {{.*}}wrong-bodies.rules:17:50: error: '...' stands before the last op of a region
// CHECK-NEXT: {{.*}}wrong-bodies.rules:18:43: error: there is another 'n'
// CHECK-NEXT: {{.*}}wrong-bodies.rules:19:42: error: '...' stands behind the arguments that have names
// CHECK-NEXT: {{.*}}wrong-bodies.rules:20:65: error: no '@other' in the pattern
// CHECK-NEXT: {{.*}}wrong-bodies.rules:21:77: error: '@body' moves to one place only
// CHECK-NEXT: {{.*}}wrong-bodies.rules:22:34: error: '@no' is lost: one that goes is '@_'
// CHECK-NEXT: {{.*}}wrong-bodies.rules:23:34: error: 'inline' takes a region and at most 8 values
// CHECK-NEXT: {{.*}}wrong-bodies.rules:24:68: error: a group is for operands
// CHECK-NEXT: {{.*}}wrong-bodies.rules:25:45: error: value 1 of 'inline' must be a value, a constant, a literal or a list, not a text
// CHECK-NEXT: {{.*}}wrong-bodies.rules:26:55: error: a region stands behind an op, or in inline(@body)
// CHECK-NEXT: {{.*}}wrong-bodies.rules:27:92: error: 'i...' is of an op's results
// CHECK-NEXT: {{.*}}wrong-bodies.rules:28:64: error: functions are declared for calls only: "@f" is one that is there
// CHECK-NEXT: {{.*}}wrong-bodies.rules:29:68: error: 'c' is not seen in a region of 'builtin.module'
// CHECK-NEXT: {{.*}}wrong-bodies.rules:30:47: error: several types are of an op's results
// CHECK-NEXT: {{.*}}wrong-bodies.rules:31:58: error: argument 'a' of a region needs a type
// CHECK-NEXT: {{.*}}wrong-bodies.rules:32:31: error: an operand between two lists has no place of its own
// CHECK-NEXT: {{.*}}wrong-bodies.rules:33:25: error: where lists stand, each stands for operands of 'loopy.counted' of which there may be several, and each name for one
// CHECK-NEXT: {{.*}}wrong-bodies.rules:34:64: error: a guard makes nothing
// CHECK-NEXT: {{.*}}wrong-bodies.rules:35:61: error: a list of types in another
// CHECK-NEXT: {{.*}}wrong-bodies.rules:36:33: error: an op without a result has no name and no type
// CHECK-NEXT: {{.*}}wrong-bodies.rules:37:22: error: more than 8 arguments, 8 ops or 4 regions
// CHECK-NEXT: {{.*}}wrong-bodies.rules:38:53: error: more than 8 arguments or 64 ops
// CHECK-NEXT: {{.*}}wrong-bodies.rules:39:8: error: one type becomes another
func.func private @f()
