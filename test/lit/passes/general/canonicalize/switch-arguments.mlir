// RUN: mlc-opt %s --canonicalize --allow-unregistered-dialect --mlir-print-op-generic | FileCheck %s
// An argument that nobody uses goes from a switch's case, and from the sizes of its cases.
// CHECK: "cf.switch"(%[[N:.*]], %{{.*}})[^bb{{[0-9]+}}, ^bb{{[0-9]+}}, ^bb{{[0-9]+}}]
// CHECK-SAME: case_operand_segments = array<i32: 1, 0>
// CHECK-SAME: operandSegmentSizes = array<i32: 1, 0, 1>
func.func @unused(%n: i32, %x: i32, %p: i1) {
  cf.switch %n : i32, [
    default: ^out(%x : i32),
    4: ^case(%x : i32),
    51: ^other(%x : i32)
  ]
^case(%t: i32):
  "test.use"(%t) : (i32) -> ()
  cf.cond_br %p, ^case(%t : i32), ^out(%t : i32)
^other(%unused_too: i32):
  "test.other"() : () -> ()
  return
^out(%unused: i32):
  "test.end"() : () -> ()
  return
}
