// REQUIRES: mlc-opt, not
// RUN: not mlc-opt %s --split-input-file 2>&1 | FileCheck %s
// A marker that is nearly one is told, and the location of a part says which part it is.
// CHECK: split-marker.mlir:7:1: warning: near miss with file split marker
// CHECK: within split at {{.*}}split-marker.mlir:[[#]] offset :4:11: error: operation being parsed with an unregistered dialect
func.func private @f()
// ---
// -----

func.func @g() {
  "xyz.op"() : () -> ()
}
