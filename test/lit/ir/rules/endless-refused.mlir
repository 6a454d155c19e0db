// RUN: not mlc-opt --load-rules=%S/Inputs/endless.rules --canonicalize %s 2>&1 | FileCheck %s
// Rules that can be seen never to end are named when they are read.
// CHECK: endless.rules:2:6: error: rule 'swap' matches its own result and would never end
// CHECK: endless.rules:3:6: error: rules 'there' and 'and_back' would rewrite each other's results for ever
// CHECK-NOT: error
