// RUN: mlc-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlc && mlir-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlir && diff %t.mlir %t.mlc
// REQUIRES: mlir-opt
// Mapped dimensions stay.
func.func @fm(%n: index) {
  scf.forall (%i, %k) in (1, %n) {
    "foo.b"(%k, %i) : (index, index) -> ()
  } {mapping = [#gpu.block<x>, #gpu.thread<y>]}
  scf.forall (%i, %k) in (1, %n) {
    "foo.b"(%k, %i) : (index, index) -> ()
  } {foo}
  return
}
