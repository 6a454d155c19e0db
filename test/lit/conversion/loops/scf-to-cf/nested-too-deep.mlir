// RUN: not mlc-opt %s --convert-scf-to-cf --limit-nesting=2 2>&1 | FileCheck %s
// RUN: mlc-opt %s --convert-scf-to-cf
// The loops of a parallel one would stand in each other.
// CHECK: error: 'scf.parallel' op would be loops nested deeper than the limit of 2 (--limit-nesting)
func.func @three(%n: index) {
  scf.parallel (%i, %j, %k) = (%n, %n, %n) to (%n, %n, %n) step (%n, %n, %n) {
  }
  return
}
