// RUN: mlc-opt --dialect-reference %S/Inputs/flow.yaml | FileCheck %s
// Pages say what ops mean, and what regions take and yield.
// CHECK: calls the function `callee`
// CHECK: **Means**: a function: a name, a type, and a body unless it is declared only.
// CHECK: runs its region for each element of its first operand, on what it yielded the time before
// CHECK: runs its region for each index from the first operand up to the second, by the third, on what it yielded the time before
// CHECK: **Means**: ends a region with what it gives to the op around it, to its next round, or to who called it.
// CHECK: - `yes` (one block, yields `results`)
// CHECK: **Means**: runs its first region where the condition holds, else its second.
// CHECK: - `body` (one block, takes `inits`, yields `inits`)
// CHECK: **Means**: runs its region so many times, on what it yielded the time before.
