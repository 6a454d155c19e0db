// RUN: mlc-opt %s --pass-pipeline='kernels-at-place{pipeline="canonicalize"}' | FileCheck %s
// RUN: not mlc-opt %s --pass-pipeline='kernels-at-place{place=moon}' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not mlc-opt %s --pass-pipeline='kernels-at-place{place=device pipeline="no-pass"}' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// Without a kernel on that side nothing runs.
// WRONG: expected 'place' to be host or device, not 'moon'
// UNKNOWN: no-pass
// CHECK: arith.addi
func.func private @on_device(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
