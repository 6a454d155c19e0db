// RUN: mlc-opt %s --convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts > %t
// RUN: mlc-cpu-runner %t -e good -entry-point-result=i32 | FileCheck %s --check-prefix=GOOD
// RUN: not --crash mlc-cpu-runner %t -e bad -entry-point-result=i32 2>&1 | FileCheck %s --check-prefix=BAD
// An assertion that does not hold prints its message and ends the process.
// GOOD: {{^}}7{{$}}
// BAD-NOT: 7
func.func @check(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %x, %c0 : i32
  cf.assert %positive, "it must be positive"
  cf.assert %positive, "twice"
  return %x : i32
}
func.func @good() -> i32 {
  %x = arith.constant 7 : i32
  %0 = call @check(%x) : (i32) -> i32
  return %0 : i32
}
func.func @bad() -> i32 {
  %x = arith.constant -7 : i32
  %0 = call @check(%x) : (i32) -> i32
  return %0 : i32
}
