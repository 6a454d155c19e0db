// RUN: mlc-opt %s --load-dialect=%root/test/lit/dialects/load/Inputs/flow.yaml --lower-semantics --verify-diagnostics
// RUN: not mlc-opt %s --load-dialect=%root/test/lit/dialects/load/Inputs/flow.yaml --interpret --entry words 2>&1 | FileCheck %s
// Elements of a type that nobody knows cannot be gone through.
// CHECK: error: 'flow.each' op goes through 'index', which has no elements here
func.func @words() {
  %x = arith.constant 1 : index
  // expected-error @+2 {{failed to legalize operation 'flow.each' that was explicitly marked illegal}}
  // expected-note @+1 {{it goes through 'index', no tensor or memref of one dimension}}
  flow.each %x : index do {
  ^bb0(%e: i32):
    flow.give
  }
  return
}
