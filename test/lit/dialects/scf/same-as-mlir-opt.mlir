// RUN: mlc-opt %s -o %t.mlc && mlir-opt %s -o %t.mlir && diff %t.mlir %t.mlc
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt -o %t.again && diff %t.mlc %t.again
// REQUIRES: mlir-opt
// Custom syntax as mlir-opt prints it, and the same again by way of the generic form.
func.func private @decl(i32, f32 {foo.bar}) -> (i32 {foo.baz}, f32)
func.func @f(%lb: index, %ub: index, %s: index, %x: f32, %c: i1, %t: tensor<4xf32>, %w: i32) -> f32 attributes {llvm.emit_c_interface} {
  %r = scf.for %i = %lb to %ub step %s iter_args(%a = %x) -> (f32) {
    %z = arith.addf %a, %a fastmath<contract> : f32
    scf.yield %z : f32
  }
  scf.for %i = %lb to %ub step %s { func.call @g() : () -> () }
  scf.for %i = %w to %w step %w : i32 { func.call @g() : () -> () } {foo}
  %q = scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %r : f32 }
  scf.if %c { func.call @g() : () -> () }
  %wr:2 = scf.while (%a = %x, %b = %lb) : (f32, index) -> (index, f32) {
    scf.condition(%c) %b, %a : index, f32
  } do {
  ^bb0(%p: index, %o: f32):
    scf.yield %o, %p : f32, index
  }
  %p = scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%s, %s) init (%x) -> f32 {
    scf.reduce(%x : f32) { ^bb0(%l: f32, %rr: f32): %y = arith.addf %l, %rr : f32
      scf.reduce.return %y : f32 }
  }
  scf.parallel (%i) = (%lb) to (%ub) step (%s) { scf.reduce }
  %fa = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %e = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32> }
  }
  scf.forall (%i, %j) = (0, %lb) to (%ub, 8) step (1, 2) { func.call @g() : () -> () } {mapping = [#gpu.block<x>, #gpu.thread<y>]}
  %ex = scf.execute_region -> f32 { scf.yield %x : f32 }
  scf.index_switch %lb 
  case 2 { scf.yield }
  default { scf.yield }
  %sw = scf.index_switch %lb -> i32
  case 2 { scf.yield %w : i32 }
  case 5 { scf.yield %w : i32 }
  default { scf.yield %w : i32 }
  cf.cond_br %c, ^bb1(%x : f32), ^bb2
^bb1(%u: f32):
  cf.switch %w : i32, [
    default: ^bb2,
    42: ^bb3(%x : f32)
  ]
^bb2:
  cf.assert %c, "no"
  cf.br ^bb3(%x : f32)
^bb3(%v: f32):
  %sel = arith.select %c, %x, %v : f32
  %cm = arith.cmpi slt, %w, %w : i32
  %cf = arith.cmpf olt, %x, %x : f32
  %tt = arith.truncf %x to_nearest_even : f32 to f16
  %fm = math.fma %x, %x, %x : f32
  return %v : f32
}
func.func private @g()
