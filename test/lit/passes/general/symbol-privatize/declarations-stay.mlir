// RUN: mlc-opt %s '--symbol-privatize=exclude=main' | FileCheck %s
// What is private already stays so, and what is excluded is seen from outside as before.
// CHECK: func.func private @declared()
// CHECK: func.func @main
func.func private @declared()
func.func @main() {
  call @declared() : () -> ()
  return
}
