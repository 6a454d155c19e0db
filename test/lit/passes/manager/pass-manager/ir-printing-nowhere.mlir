// RUN: mlc-opt %s --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=/dev/null/here 2>&1 | FileCheck %s
// IR that cannot be printed is told, and the passes go on.
// CHECK: warning: IR is not printed: {{.*}}: Not a directory
// CHECK: func.func @f
func.func @f() {
  return
}
