// RUN: mlc-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlc && mlir-opt %s -allow-unregistered-dialect -canonicalize -o %t.mlir && diff %t.mlir %t.mlc
// REQUIRES: mlir-opt
// Regions that can stand without their op.
func.func @ex(%c: i1, %x: f32) -> f32 {
  %r = scf.execute_region -> f32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %v = "foo.a"() : () -> f32
    scf.yield %v : f32
  ^b:
    "foo.b"() : () -> ()
    scf.yield %x : f32
  }
  scf.if %c {
   scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    "foo.a"() : () -> ()
    scf.yield
  ^b:
    "foo.b"() : () -> ()
    scf.yield 
   }
  }
  return %r : f32
}
func.func @sw(%a: index, %x: f32, %y: f32) -> f32 {
  %c5 = arith.constant 5 : index
  %r = scf.index_switch %c5 -> f32
  case 2 { scf.yield %x : f32 }
  case 5 { %v = "foo.a"(%a) : (index) -> f32
     scf.yield %v : f32 }
  default { scf.yield %y : f32 }
  %q = scf.index_switch %c5 -> f32
  case 2 { scf.yield %x : f32 }
  default { scf.yield %r : f32 }
  return %q : f32
}
