// RUN: mlc-opt %s --convert-to-llvm | mlc-cpu-runner -entry-point-result=i64 -shared-libs=%plugins/own_functions.so,%runner_utils | FileCheck %s
// A function of a user's own shared library, found by its name.
// CHECK: {{^}}1764{{$}}
func.func private @square_of(i64) -> i64
func.func @main() -> i64 {
  %c = arith.constant 42 : i64
  %0 = call @square_of(%c) : (i64) -> i64
  return %0 : i64
}
