// RUN: mlc-opt %s --allow-unregistered-dialect --mlir-print-debuginfo > %t.mlc
// RUN: mlir-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | diff - %t.mlc
// RUN: mlc-opt %t.mlc --allow-unregistered-dialect --mlir-print-debuginfo | diff - %t.mlc
// REQUIRES: mlir-opt
// Locations used by ops only are defined at the end, those of arguments at the start, in upstream's order.
func.func @f(%x: i32, %m: memref<4xf32, affine_map<(d0) -> (d0 + 1)>>) -> i32 {
  %c1 = arith.constant 1 : i32 loc("named")
  %0 = arith.addi %x, %c1 : i32 loc(#later)
  cf.br ^next(%0 : i32) loc(callsite("callee" at "file.py":3:4))
^next(%v: i32 loc("arg":1:2)):
  "foo.use"(%m) : (memref<4xf32, affine_map<(d0) -> (d0 + 1)>>) -> () loc(fused<"why">["a":1:1, "b":2:2])
  return %v : i32 loc(unknown)
}
#later = loc("later"("other.mlir":7:8))
