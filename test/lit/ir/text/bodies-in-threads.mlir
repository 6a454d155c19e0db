// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-debuginfo --mlir-disable-threading -o %t.one
// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-debuginfo --threads=3 --threads-min-size=0 -o %t.three
// RUN: diff %t.one %t.three
// RUN: mlc-opt %t.three -allow-unregistered-dialect -mlir-print-op-generic --mlir-disable-threading -o %t.one
// RUN: mlc-opt %t.three -allow-unregistered-dialect -mlir-print-op-generic --threads=3 --threads-min-size=0 -o %t.three.generic
// RUN: diff %t.one %t.three.generic
// RUN: mlc-opt %t.one -allow-unregistered-dialect --threads=3 --threads-min-size=0 | FileCheck %s
// Bodies of functions read by several threads: what they end with, and what they share with the rest of the file.
#map = affine_map<(d0) -> (d0 + 1)>
!pair = tuple<i32, i64>

// CHECK-LABEL: func.func @braces
func.func @braces(%a: i32 loc(#arg), %b: index) -> i32 {
  // } in a comment, and an odd "
  %0 = "test.text"() {text = "} \" {"} : () -> i32 loc(#late)
  // CHECK: "test.foreign"() : () -> !test.t<{"}}"}>
  %1 = "test.foreign"() : () -> !test.t<{"}}"}>
  %2 = affine.apply #map(%b)
  return %0 : i32
}
#early = loc("early.mlir":1:2)
// CHECK-LABEL: func.func @blocks
func.func @blocks(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^later(%a : i32), ^sooner
^sooner:
  cf.br ^later(%a : i32)
^later(%x: i32):
  return %x : i32 loc(fused[#early, "x"])
}
module @inner {
  func.func private @declared(i32)
  // CHECK-LABEL: func.func @forward
  func.func @forward() {
    cf.br ^second
  ^first:
    "test.use"(%v) : (i32) -> ()
    return
  ^second:
    %v = arith.constant 7 : i32
    cf.br ^first
  }
}
// Names of the generic form may be those of what is around.
// CHECK: "test.graph"
"test.graph"() ({
  %n = "test.outer"() : () -> i32
  "func.func"() <{function_type = () -> (), sym_name = "generic"}> ({
    %m = "test.own"() : () -> !pair
    "func.return"() : () -> ()
  }) : () -> ()
  "test.end"(%n) : (i32) -> ()
}) : () -> ()
"func.func"() <{function_type = (i32) -> i32, sym_name = "argument"}> ({
^bb0(%0: i32):
  "func.return"(%0) : (i32) -> ()
}) : () -> ()
// CHECK-LABEL: func.func @numbered
func.func @numbered() {
  "test.distinct"() {a = distinct[3]<1 : i32>, b = dense_resource<blob> : tensor<1xi32>} : () -> ()
  "test.distinct"() {a = distinct[4]<2 : i32>, b = distinct[3]<1 : i32>} : () -> ()
  return
}
#late = loc("late.mlir":3:4)
#arg = loc("arg.mlir":5:6)
{-# dialect_resources: { builtin: { blob: "0x0400000001000000" } } #-}
