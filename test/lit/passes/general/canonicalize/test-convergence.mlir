// RUN: mlc-opt %s "--canonicalize=max-iterations=1 test-convergence" --verify-diagnostics
// RUN: mlc-opt %s --canonicalize=test-convergence | FileCheck %s
// One sweep changes something, and only a second one would say that nothing is left.
// CHECK: return %arg0
// expected-error @below {{canonicalization did not converge in 1 iterations}}
module {
  func.func @f(%x: i32) -> i32 {
    %zero = arith.constant 0 : i32
    %0 = arith.addi %x, %zero : i32
    return %0 : i32
  }
}
