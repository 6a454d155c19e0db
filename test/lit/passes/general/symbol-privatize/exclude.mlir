// RUN: mlc-opt %s --symbol-privatize | FileCheck %s --check-prefix=ALL
// RUN: mlc-opt %s '--symbol-privatize=exclude=main,other' | FileCheck %s --check-prefix=SOME

// ALL: func.func private @main
// SOME: func.func @main
func.func @main() {
  return
}
// ALL: func.func private @helper
// SOME: func.func private @helper
func.func nested @helper() {
  return
}
// Symbols of inner tables are not touched.
// ALL: module @inner attributes {sym_visibility = "private"}
// SOME: module @inner attributes {sym_visibility = "private"}
// ALL-NEXT: func.func @deep
// SOME-NEXT: func.func @deep
module @inner {
  func.func @deep() {
    return
  }
}
