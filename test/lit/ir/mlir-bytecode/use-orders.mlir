// REQUIRES: mlir-opt
// The order in which uses stand is kept where it is not that of reading: users are listed as mlir-opt lists them.
// RUN: mlir-opt %s -allow-unregistered-dialect --canonicalize --cse --emit-bytecode -o %t.mlirbc
// RUN: mlc-opt %t.mlirbc -allow-unregistered-dialect --mlir-print-value-users | FileCheck %s
// CHECK: "foo.pair"() : () -> (i32, i32) // users: %[[SUM:.*]], %[[B:.*]], %[[B]], %[[A:.*]]
// CHECK: %[[SUM]] = arith.addi {{.*}} // users: %[[B]], foo.c, %[[A]], foo.c, func.return, %[[B]], %[[A]]
// CHECK: %[[A]] = "foo.a"
// CHECK: %[[B]] = "foo.b"
// CHECK: "foo.pair"() : () -> (i32, i32) // users: foo.last, foo.first, foo.last, foo.first, foo.first, foo.second
func.func @f(%x: i32, %y: i32) -> (i32, i32) {
  %0:2 = "foo.pair"() : () -> (i32, i32)
  %1 = arith.addi %x, %0#0 : i32
  %2 = arith.addi %x, %0#0 : i32
  %3 = "foo.a"(%2, %0#1, %1, %x) : (i32, i32, i32, i32) -> i32
  %4 = arith.addi %x, %0#0 : i32
  %5 = "foo.b"(%1, %0#1, %4, %0#1, %3) : (i32, i32, i32, i32, i32) -> i32
  "foo.region"() ({
    "foo.c"(%4, %x, %y, %2) : (i32, i32, i32, i32) -> ()
  }) : () -> ()
  return %5, %1 : i32, i32
}
module {
  "foo.first"(%a#1, %a#0, %a#1) : (i32, i32, i32) -> ()
  "foo.second"(%a#1) : (i32) -> ()
  %a:2 = "foo.pair"() : () -> (i32, i32)
  "foo.last"(%a#0, %a#1) : (i32, i32) -> ()
}
