// RUN: printf '"%0100000d"() : () -> ()' 0 | not mlc-opt 2>&1 | FileCheck %s
// Of a line that nobody can read the place is told.
// CHECK: <stdin>:1:100003: error: operation being parsed with an unregistered dialect.
// CHECK-NOT: 000
