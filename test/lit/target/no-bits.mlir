// RUN: mlc-translate --mlir-to-llvmir -verify-diagnostics %s
// LLVM has no integers of no bits.
// expected-error@below {{an integer of no bits has no machine type}}
llvm.func @f(%a: i0) {
  llvm.return
}
