// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-debuginfo --mlir-disable-threading -o %t.one
// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-debuginfo --threads=3 --threads-min-size=0 -o %t.three
// RUN: diff %t.one %t.three
// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-local-scope -mlir-print-op-generic --mlir-disable-threading -o %t.one
// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-local-scope -mlir-print-op-generic --threads=3 --threads-min-size=0 -o %t.three
// RUN: diff %t.one %t.three
// RUN: mlc-opt %s -allow-unregistered-dialect --threads=3 --threads-min-size=0 | FileCheck %s
// RUN: mlc-opt %s -allow-unregistered-dialect -mlir-print-op-generic --threads=3 --threads-min-size=0 | FileCheck %s --check-prefix=GENERIC
// Aliases are numbered, resources listed and `distinct` counted in the order of the text, whoever printed it.
// CHECK: #map = affine_map<(d0) -> (d0 + 1)>
// CHECK: #map1 = affine_map<(d0) -> (d0 + 2)>
// CHECK-LABEL: func.func @a(
// CHECK: affine.apply #map(
func.func @a(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  return %0 : index loc("a")
}
// CHECK: "test.global"() <{r = dense_resource<z>
"test.global"() <{r = dense_resource<z> : tensor<1xi8>}> : () -> ()
// CHECK-LABEL: func.func @b(
// CHECK: affine.apply #map1(
// CHECK: affine.apply #map(
// CHECK: dense_resource<y>
func.func @b(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
  %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%0)
  "test.use"() {r = dense_resource<y> : tensor<1xi8>} : () -> ()
  return %1 : index loc(callsite("a" at "b"))
}
// CHECK-LABEL: func.func @c(
// CHECK: distinct[0]<>
// CHECK: distinct[1]<>
func.func @c() {
  "test.use"() {d = distinct[7]<unit>, r = dense_resource<x> : tensor<1xi8>} : () -> ()
  "test.use"() {d = distinct[8]<unit>} : () -> ()
  return
}
// CHECK: "test.graph"
// CHECK-NEXT: "test.outer"
// CHECK: func.func @named
"test.graph"() ({
  %c0 = "test.outer"() : () -> index
  func.func @named() -> index {
    %c0 = arith.constant 0 : index
    return %c0 : index
  }
}) : () -> ()
// CHECK-LABEL: func.func @d(
// CHECK: distinct[1]<>
func.func @d() {
  "test.use"() {d = distinct[8]<unit>, r = dense_resource<z> : tensor<1xi8>} : () -> ()
  return
}
// Numbers of the generic form count on, from the last function to the first.
// GENERIC: sym_name = "a"
// GENERIC-NEXT: ^bb0(%[[A:arg[0-9]+]]: index):
// GENERIC-NEXT: %{{[0-9]+}} = "affine.apply"(%[[A]])
// CHECK: dialect_resources
// CHECK: z: "0x0100000003"
// CHECK: y: "0x0100000002"
// CHECK: x: "0x0100000001"
{-# dialect_resources: { builtin: { x: "0x0100000001", y: "0x0100000002", z: "0x0100000003" } } #-}
