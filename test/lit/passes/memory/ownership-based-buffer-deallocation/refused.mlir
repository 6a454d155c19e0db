// RUN: mlc-opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{Only structured control-flow loops are supported.}}
func.func @loop(%c: i1) {
  cf.br ^a
^a:
  cf.cond_br %c, ^a, ^b
^b:
  return
}
// -----
func.func @freed(%m: memref<2xf32>) {
  // expected-error@+1 {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %m : memref<2xf32>
  return
}
// -----
func.func @done_before(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{No deallocation operations must be present when running this pass!}}
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}
// -----
func.func @not_known(%m: memref<2xf32>) {
  // expected-error@+1 {{ops with unknown memory side effects are not supported}}
  "unknown.op"(%m) : (memref<2xf32>) -> ()
  return
}
// -----
func.func @many_ways(%i: i32) {
  // expected-error@+1 {{Terminators with more than one successor are not supported!}}
  cf.switch %i : i32, [
    default: ^a,
    1: ^a
  ]
^a:
  return
}
// -----
func.func @combined(%m: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%m) -> memref<2xf32> {
    // expected-error@+1 {{All operations with attached regions need to implement the RegionBranchOpInterface.}}
    scf.reduce(%m : memref<2xf32>) {
    ^bb0(%a: memref<2xf32>, %b: memref<2xf32>):
      scf.reduce.return %a : memref<2xf32>
    }
  }
  return
}
