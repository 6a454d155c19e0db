// RUN: mlc-opt %s --no-implicit-module --cse | FileCheck %s
// RUN: echo 'func.func private @a() func.func private @b()' | not mlc-opt --no-implicit-module 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: mlc-opt %s --verify-roundtrip --pass-pipeline='any(cse)' -o %t

// CHECK-NOT: module
// CHECK: func.func @only
// TWO: error: source must contain a single top-level operation, found: 2
func.func @only() {
  return
}
